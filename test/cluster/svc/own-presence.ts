import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { updaterBelow } from "../../../src/cluster/host-updater/updater.ts";
import { startOwnPresence, type PresencePart } from "../../../src/cluster/svc/presence-part.ts";
import { runCommand } from "../../../src/machine/processes/run-command.ts";

type OwnPresence = {
  readonly part: PresencePart;
  readonly lines: readonly string[];
  /** Where its updater lies, with the schedule that it is given. */
  readonly root: string;
  readonly schedule: string;
};

/** What `svc start` runs on a host that has joined, for an updater below a root of its own. */
export function ownPresence({
  directory,
  dataDirectory,
}: {
  readonly directory: string;
  readonly dataDirectory: string;
}): OwnPresence {
  const root = join(directory, "root");
  const timers = "etc/systemd/system/timers.target.wants";
  for (const folder of ["etc/svc-upgrade.d", "usr/lib/systemd/system", timers, "var/lib/svc-upgrade-decide"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "usr/lib/systemd/system/svc-upgrade.timer"), "");
  symlinkSync("/dev/null", join(root, timers, "svc-upgrade.timer"));
  const lines: string[] = [];
  const part = startOwnPresence({
    kind: "node",
    nodename: "web1",
    updater: updaterBelow({ root, run: runCommand, now: () => Math.floor(Date.now() / 1000) }),
    join: undefined,
    publicAddress: undefined,
    labels: {},
    tunnels: undefined,
    dataDirectory,
    log: (level, sentence) => void lines.push(`${level}: ${sentence}`),
    environment: {},
  });
  return { part, lines, root, schedule: join(root, "etc/svc-upgrade.d/schedule") };
}
