import { asFault } from "../../rules/fault/explain.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { Paths } from "../../machine/files/paths.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { decodeHistory, emptyHistory, encodeHistory, longestHistoryBytes, type History } from "../record/history.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { moveAside } from "./state-file.ts";

export type HistoryPlace = Pick<Paths, "root" | "history">;

export type HistoryReading =
  | { readonly kind: "history"; readonly history: History }
  /** This user may not read the history. */
  | { readonly kind: "denied" }
  | { readonly kind: "unreadable"; readonly why: string };

/** Reads what was moved or tried on this host. A missing file is an empty history. */
export function readHistory({ history: path }: Pick<HistoryPlace, "history">): HistoryReading {
  const reading = readFileCapped(path, { capBytes: longestHistoryBytes, links: "refuse" });
  switch (reading.kind) {
    case "missing":
      return { kind: "history", history: emptyHistory };
    case "denied":
      return { kind: "denied" };
    case "refused":
      return { kind: "unreadable", why: reading.why };
    case "read": {
      const decoded = decodeHistory(reading.text);
      return decoded.kind === "read" ? { kind: "history", history: decoded.value } : { kind: "unreadable", why: decoded.why };
    }
  }
}

export type HistoryChange = (before: History) => History;

type Keeping = { readonly log: Log; readonly readNow: () => UnixSeconds };

/**
 * Changes the history for one pass, which holds the lock. A failure does not change how the pass ends, and is logged once. On a full disk, only the
 * state may use the reserve.
 */
export function openHistory(place: HistoryPlace, { log, readNow }: Keeping): (change: HistoryChange) => void {
  let isTold = false;
  return (change) => {
    try {
      const before = readOrBegin(place, { log, readNow });
      const after = change(before);
      if (after === before) return;
      writeFileAtomically(place.history, encodeHistory(after), { root: place.root, mode: 0o644, fault: "state-unwritable" });
    } catch (thrown) {
      const { message, hint } = asFault(thrown);
      if (!isTold) log("warning", `the history does not have what this pass did: ${message}; ${hint}`, {});
      isTold = true;
    }
  };
}

/** Puts an unreadable history aside and begins a new one. */
function readOrBegin(place: HistoryPlace, { log, readNow }: Keeping): History {
  const reading = readHistory(place);
  if (reading.kind === "history") return reading.history;
  const why = reading.kind === "denied" ? "it may not be read by this user" : reading.why;
  log("warning", `the history was unreadable (${why}) and lies now at ${moveAside(place.history, place, readNow())}`, {});
  return emptyHistory;
}
