import type { Answer, VersionServer } from "../lab/version-server.ts";
import type { Host } from "../lab/host.ts";
import type { Stage } from "../lab/scenario.ts";
import { configure, outdatedHost, schedule, stopTimer } from "../updater.ts";
import { rowsOf, type Figures, type Row } from "./rows.ts";
import { lookAtHost } from "./host-figures.ts";
import { watchPass, type PassFigures } from "./pass-figures.ts";

/** What no pass moves for: none, another web site, an unknown channel. */
const useless: readonly Answer[] = ["none", "<!DOCTYPE html><html>Welcome</html>", { status: 404 }];

/** Until the state holds as many passes as it ever will, and every program has been started once. */
const warmUp = 20;
/** As many passes of each kind at the start as at the end. */
const leastWatched = 10;

/** So many passes in a row on a host of their own: nothing to do, an upgrade that must wait, and what is of no use. */
export async function soak(stage: Stage, passes: number): Promise<readonly Row[]> {
  const { host } = stage;
  await outdatedHost(stage);
  await schedule(host, "closed");
  await stopTimer(host);
  // The metrics are a file that is written again at each pass as well.
  await configure(host, "metrics_file: /var/lib/svc-upgrade/metrics.prom\n", "60-metrics");
  return passesInARow(stage, ["v15.4.5", "v15.4.6"], passes);
}

export type Soaked = { readonly host: Host; readonly versions: VersionServer };

/** The figures of their start and of their end, side by side. The channel serves these versions and what is of no use, in turn. */
export async function passesInARow(soaked: Soaked, served: readonly Answer[], passes: number): Promise<readonly Row[]> {
  const answers = [...served, ...useless];
  const wholeCycles = (count: number): number => Math.ceil(count / answers.length) * answers.length;
  const watched = wholeCycles(Math.max(leastWatched, passes / 20));
  const between = Math.max(0, wholeCycles(passes) - 2 * watched);
  await play(soaked, answers, warmUp);
  const start = await measure(soaked, answers, watched);
  await play(soaked, answers, between);
  return rowsOf(start, await measure(soaked, answers, watched));
}

/** The passes while they ran, and the host after them. */
async function measure(soaked: Soaked, answers: readonly Answer[], count: number): Promise<Figures> {
  const { host } = soaked;
  const cursor = (await lookAtHost(host)).cursor;
  const passes: PassFigures[] = [];
  for (let done = 0; done < count; done += 1) passes.push(await watchPass(host, () => onePass(soaked, answers, done)));
  return { passes, host: await lookAtHost(host, cursor) };
}

async function play(soaked: Soaked, answers: readonly Answer[], count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await onePass(soaked, answers, done);
}

/** No unit of its own around it: what is counted is what passes leave. */
async function onePass({ host, versions }: Soaked, answers: readonly Answer[], index: number): Promise<void> {
  versions.serve("default", { version: answers[index % answers.length] ?? "none" });
  await host.enter(["systemctl", "start", "svc-upgrade.service"]);
}
