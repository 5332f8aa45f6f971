import type { PassRecord, State } from "../../src/updater/record/state.ts";
import { pathsBelow } from "../../src/machine/files/paths.ts";
import type { OpenMove } from "../../src/updater/record/ledger.ts";
import { openMoveIn } from "../../src/updater/store/ledger-file.ts";
import { readState } from "../../src/updater/store/state-file.ts";
import type { Host } from "../system/lab/host.ts";

/** What the passes of a host have recorded, read from outside: quickly, and while the host is being killed. */
export function recordOf(host: Host): State {
  // Every folder on the way is a plain one: no link leads back to this machine.
  const paths = pathsBelow(`/proc/${host.leader()}/root`);
  const reading = readState(paths);
  if (reading.kind !== "state")
    throw new Error(`${paths.state} cannot be read: ${reading.kind === "denied" ? "denied" : reading.why}`);
  return reading.state;
}

/** What the acting unit has in hand. */
export function openMoveOf(host: Host): OpenMove | undefined {
  return openMoveIn(pathsBelow(`/proc/${host.leader()}/root`));
}

/** Undefined where the file is damaged. */
export function tryRecordOf(host: Host): State | undefined {
  try {
    return recordOf(host);
  } catch {
    return undefined;
  }
}

export function lastPassId(host: Host): string | undefined {
  return tryRecordOf(host)?.passes[0]?.id;
}

export function lastPass(host: Host): PassRecord {
  const [last] = recordOf(host).passes;
  if (last === undefined) throw new Error("the record has no pass");
  return last;
}
