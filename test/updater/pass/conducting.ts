import { mkdirSync, writeFileSync } from "node:fs";
import { pathsBelow, type Paths } from "../../../src/machine/files/paths.ts";
import { conductPass } from "../../../src/updater/pass/pass-under-locks.ts";
import type { PassPorts } from "../../../src/updater/pass/pass.ts";
import type { PassRecord } from "../../../src/updater/record/state.ts";
import { writeState } from "../../../src/updater/store/state-file.ts";
import { fakeHost, type FakeOptions, type Line } from "./given.ts";
import { timer } from "./stage.ts";

export type Conducted = FakeOptions & {
  /** What stands in the only file of settings. */
  readonly settings: string;
  readonly change?: (ports: PassPorts) => PassPorts;
  readonly hasUnits?: boolean;
};

export type Conductor = {
  readonly paths: Paths;
  /** What was logged so far. */
  readonly lines: Line[];
  readonly conduct: (given: Conducted) => Promise<PassRecord>;
};

/** Passes below a root, with files and locks: only what changes the host is in memory. */
export function conductorBelow(root: string): Conductor {
  const paths = pathsBelow(root);
  const lines: Line[] = [];
  const log: PassPorts["log"] = (level, sentence, fields = {}) => lines.push({ level, sentence, fields });
  return {
    paths,
    lines,
    conduct({ settings, change = (ports) => ports, hasUnits = false, ...options }) {
      mkdirSync(`${root}/etc/svc-upgrade`, { recursive: true });
      writeFileSync(`${root}/etc/svc-upgrade/10.yaml`, settings, { mode: 0o644 });
      const { ports } = fakeHost(options);
      return conductPass({
        sources: { paths, environment: {}, flags: [], ownerUid: process.getuid?.() ?? -1, log },
        asked: timer,
        passId: "pass-1",
        readClock: ports.readClock,
        hasUnits,
        portsFor: () => change({ ...ports, log, saveState: (state) => writeState(paths, state) }),
      });
    },
  };
}
