import { renameSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { inDirectory } from "../../machine/files/directory.ts";
import { errnoWords } from "../../machine/files/errno.ts";
import type { Paths } from "../../machine/files/paths.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { decodeState } from "../record/decode-state.ts";
import { encodeState } from "../record/encode-state.ts";
import { emptyState, longestStateBytes, type State } from "../record/state.ts";
import { withReserve } from "./reserve.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type StatePaths = Pick<Paths, "root" | "state" | "stateDirectory">;

export type StateReading =
  | { readonly kind: "state"; readonly state: State }
  /** This user may not read the state. */
  | { readonly kind: "denied" }
  | { readonly kind: "unreadable"; readonly why: string };

/** The state; an unreadable one counts as empty. */
export function stateIn(paths: Pick<Paths, "state">): State {
  const reading = readState(paths);
  return reading.kind === "state" ? reading.state : emptyState;
}

/** Reads what earlier passes left. A missing file is the empty state. */
export function readState({ state: path }: Pick<Paths, "state">): StateReading {
  const reading = readFileCapped(path, { capBytes: longestStateBytes, links: "refuse" });
  switch (reading.kind) {
    case "missing":
      return { kind: "state", state: emptyState };
    case "denied":
      return { kind: "denied" };
    case "refused":
      return { kind: "unreadable", why: reading.why };
    case "read": {
      const decoded = decodeState(reading.text);
      return decoded.kind === "read" ? { kind: "state", state: decoded.value } : { kind: "unreadable", why: decoded.why };
    }
  }
}

/** Moves an unreadable file aside, so that a new one can begin and a person can still read the old one. Returns the new path. */
export function moveAside(path: string, { root }: Pick<Paths, "root">, now: UnixSeconds): string {
  const name = basename(path);
  const aside = `${name}.unreadable-${now}`;
  try {
    inDirectory(dirname(path), { root, missing: "refuse" }, ({ at }) => renameSync(`${at}/${name}`, `${at}/${aside}`));
    return `${dirname(path)}/${aside}`;
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw new Fault("state-unwritable", {
      message: `${path} is unreadable and could not be moved to ${dirname(path)}/${aside}: ${errnoWords(thrown)}`,
      hint: `move it away by hand: \`sudo mv ${path} ${dirname(path)}/${aside}\``,
      cause: thrown,
    });
  }
}

/** Everyone may read it: `status` needs no root, and the state holds no secret. On a full disk it takes the reserved room. */
export function writeState(paths: StatePaths, state: State): void {
  const { root, stateDirectory: directory } = paths;
  const text = encodeState(state);
  withReserve({ root, directory }, () =>
    writeFileAtomically(paths.state, text, { root, mode: 0o644, fault: "state-unwritable" }),
  );
}
