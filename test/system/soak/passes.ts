import type { Answer, VersionServer } from "../lab/version-server.ts";
import type { Host } from "../lab/host.ts";
import type { Stage } from "../lab/scenario.ts";
import { configure, outdatedHost, schedule, stopTimer } from "../updater.ts";
import { rowsOf, type Row } from "./rows.ts";
import { lookAtHost, type HostFigures } from "./host-figures.ts";
import { watchPass, type PassFigures } from "./pass-figures.ts";

/** What the channel serves, in turn: nothing to do, an upgrade that must wait, none, another web site, an unknown channel. */
const answers: readonly Answer[] = ["v15.4.5", "v15.4.6", "none", "<!DOCTYPE html><html>Welcome</html>", { status: 404 }];

/** Until the state holds as many passes as it ever will, and every program has been started once. */
const warmUp = 20;
/** As many passes of each kind at the start as at the end. */
const leastWatched = 10;

/** So many passes in a row on one host; the figures of its start and its end, side by side. */
export async function soak(stage: Stage, passes: number): Promise<readonly Row[]> {
  const { host, versions } = stage;
  await outdatedHost(stage);
  await schedule(host, "closed");
  await stopTimer(host);
  // The metrics are a file that is written anew at each pass as well.
  await configure(host, "metrics_file: /var/lib/svc-upgrade/metrics.prom\n", "60-metrics");
  const watched = wholeCycles(Math.max(leastWatched, passes / 20));
  const between = Math.max(0, wholeCycles(passes) - 2 * watched);
  await play(host, versions, warmUp);
  const start = await measure(host, versions, watched);
  await play(host, versions, between);
  const end = await measure(host, versions, watched);
  return rowsOf(start, end);
}

/** The passes while they ran, and the host after them. */
export type Figures = { readonly passes: readonly PassFigures[]; readonly host: HostFigures };

async function measure(host: Host, versions: VersionServer, count: number): Promise<Figures> {
  const cursor = (await lookAtHost(host)).cursor;
  const passes: PassFigures[] = [];
  for (let done = 0; done < count; done += 1) passes.push(await watchPass(host, () => onePass(host, versions, done)));
  return { passes, host: await lookAtHost(host, cursor) };
}

async function play(host: Host, versions: VersionServer, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await onePass(host, versions, done);
}

/** No unit of its own around it: what is counted is what passes leave. */
async function onePass(host: Host, versions: VersionServer, index: number): Promise<void> {
  versions.serve("default", { version: answers[index % answers.length] ?? "none" });
  await host.enter(["systemctl", "start", "svc-upgrade.service"]);
}

function wholeCycles(passes: number): number {
  return Math.ceil(passes / answers.length) * answers.length;
}
