import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blockIn, excerpt, updateBlock } from "../documents.ts";
import { proxyUrl, setVariables } from "./behind-proxy.ts";
import { buildAgent } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import { mustRun } from "./lab/program.ts";
import { proxyName, startSquid } from "./lab/proxy.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { asked, indented, named, rowsOf, timeless, typed } from "./screen.ts";
import { outdatedHost, schedule, shippedTimer, stopTimer, withUpdater } from "./updater.ts";

type Screens = Readonly<Record<string, string>>;

/** What an administrator sees on a real host: it waits for its window, one thing is amiss, and then it is told to go. */
async function takeScreens(stage: Stage): Promise<Screens> {
  const { host, repository, versions } = stage;
  await enrolledHost(stage);
  await host.mustRun(["systemctl", "disable", "--now", "--quiet", "svc-upgrade.timer"]);
  const doctor = (await host.run(["svc-upgrade", "doctor"])).stdout;
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", "svc-upgrade.timer"]);
  const status = await asked(host, "svc-upgrade status");
  const run = await typed(host, "svc-upgrade run --now");
  await stopTimer(host);
  await host.mustRun(["svc-upgrade", "rollback"]);
  await repository.publish(await buildAgent(host, { version: "15.4.7", start: "crashes" }));
  versions.serve("default", { version: "v15.4.7" });
  expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(10);
  for (const _ of [1, 2, 3]) await host.run(["svc-upgrade", "run"]);
  const history = await asked(host, "svc-upgrade history");
  return { status, doctor: `$ sudo svc-upgrade doctor\n${doctor}`, run, history };
}

/** The ten questions of an administrator, each asked of a real host behind a real proxy. */
async function takeAnswers(stage: Stage): Promise<Screens> {
  const { host } = stage;
  await goBehindSquid(stage);
  await enrolledHost(stage);
  const why = await asked(host, "svc-upgrade status");
  const when = await asked(host, "svc-upgrade schedule");
  const doctor = await typed(host, "svc-upgrade doctor");
  const proxy = rowsOf(doctor, ["route", "proxy", "tls", "channel", "answer"]);
  const touched = rowsOf(doctor, ["package", "manager", "offer", "previous", "disk"]);
  const tried = await typed(host, "svc-upgrade dry-run");
  const stop = await typed(host, 'svc-upgrade hold monday 08:00 --reason "the release freeze"');
  await host.mustRun(["svc-upgrade", "unhold"]);
  const stay = await typed(host, 'svc-upgrade pin 15.4.5 --reason "until the audit"');
  await host.mustRun(["svc-upgrade", "unpin"]);
  const one = "svc-upgrade status --json | jq '{installed, served, available, why: .next.why}'";
  const behind = `$ ${one}\n${await fromAfar(host, `ssh web-1 ${one}`)}`;
  expect(await fromAfar(host, excerpt("laggards"))).toBe(
    "web-1\t15.4.5\t15.4.6\toutside-window\nweb-2\t15.4.5\t15.4.6\toutside-window\n",
  );
  await schedule(host, "open");
  await host.mustRun(["svc-upgrade", "run"], { timeoutMs: 180_000 });
  const changed = await asked(host, "svc-upgrade history");
  const back = await typed(host, "svc-upgrade rollback");
  return { why, when, changed, stop, back, behind, proxy, stay, tried, touched };
}

/** On the channel, outside its window, and a pass has asked. */
async function enrolledHost(stage: Stage): Promise<void> {
  const { host, versions } = stage;
  await outdatedHost(stage);
  await shippedTimer(host);
  await versions.authority.trustIn(host);
  await host.run(["rm", "/etc/svc-upgrade/50-test.yaml"]);
  await schedule(host, "closed");
  await host.mustRun(["svc-upgrade", "enroll", "--endpoint", versions.httpsEndpoint]);
  await host.mustRun(["svc-upgrade", "run"]);
}

/** Its proxy wants a password, as many do. */
async function goBehindSquid({ host }: Stage): Promise<void> {
  const { outerAddress } = host.network;
  const credentials = { user: "fleet", password: "s3cret-Pass" };
  const squid = await startSquid(host, { credentials, outerTest: outerAddress });
  await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${outerAddress} outer.test ${proxyName}\n`);
  await setVariables(host, { HTTPS_PROXY: proxyUrl("http", squid, credentials) });
}

/** As somebody types it who reaches the host from another machine: `ssh` enters it, all else is this machine's own. */
async function fromAfar(host: Host, line: string): Promise<string> {
  const ssh = join(host.directory, "ssh");
  await writeFile(ssh, `#!/bin/sh\n[ "$1" != -n ] || shift\nshift\nexec nsenter --target ${host.leader()} --all --wdns=/ "$@"\n`);
  await chmod(ssh, 0o755);
  await writeFile(join(host.directory, "hosts"), "web-1\nweb-2\n");
  const PATH = `${host.directory}:/usr/sbin:/usr/bin:/sbin:/bin`;
  return mustRun(["sh", "-euc", line], { cwd: host.directory, env: { PATH, LANG: "C.UTF-8" } });
}

const takes = [
  ["the documents show the screens as they are", takeScreens],
  ["the ten questions are answered as their page shows", takeAnswers],
] as const;

/** `npm run screens` writes them again. */
for (const [title, take] of takes) {
  test(
    title,
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      for (const [name, taken] of Object.entries(await take(stage))) {
        const screen = indented(named(taken));
        updateBlock(name, screen);
        expect(timeless(blockIn(name)), `the screen of ${name}: npm run screens`).toBe(timeless(screen));
      }
    }),
  );
}
