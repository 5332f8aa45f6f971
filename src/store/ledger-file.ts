import { createHash } from "node:crypto";
import { makeDirectory } from "../host/directory.ts";
import type { Paths } from "../host/paths.ts";
import { readFileCapped } from "../host/read-file.ts";
import { writeFileAtomically } from "../host/write-file.ts";
import { decodeState } from "../record/decode-state.ts";
import { encodeState } from "../record/encode-state.ts";
import {
  companionNames,
  decodeLedger,
  emptyLedger,
  encodeLedger,
  ledgerOf,
  longestLedgerBytes,
  stateForEarlier,
  type KeptSet,
  type NotKept,
  type Ledger,
  type OpenMove,
} from "../record/ledger.ts";
import { emptyState, longestStateBytes, type KeptPackage, type State } from "../record/state.ts";
import type { PackageName } from "../settings/settings.ts";
import { checkSet } from "./kept-packages.ts";
import { withReserve } from "./reserve.ts";

export type LedgerPlace = Pick<Paths, "root" | "rootsDirectory" | "ledger" | "earlierState" | "state">;

/** The state that lies where earlier releases have theirs. */
export type EarlierState = { readonly text: string; readonly digest: string };

/** Undefined: there is none, or none that may be read. */
export function readEarlierState({ earlierState }: Pick<Paths, "earlierState">): EarlierState | undefined {
  const reading = readFileCapped(earlierState, { capBytes: longestStateBytes, links: "refuse" });
  return reading.kind === "read" ? { text: reading.text, digest: digestOf(reading.text) } : undefined;
}

/** Whether a release without a ledger has worked here since this one did; of a ledger that cannot be read that is not known. */
export function isOfEarlierRelease({ digest }: EarlierState, place: Pick<Paths, "ledger">): boolean {
  const written = readLedgerFile(place);
  return written.kind === "missing" || (written.kind === "ledger" && !written.ledger.stateDigests.includes(digest));
}

/**
 * What is believed of earlier changes. Where a release without a ledger has worked here since, or the ledger is damaged, that is what
 * the state beside it says: it lies where nobody but root writes, too.
 */
export function readLedger(place: Pick<Paths, "ledger" | "earlierState">): Ledger {
  const written = readLedgerFile(place);
  const known = written.kind === "ledger" ? written.ledger : emptyLedger;
  const earlier = readEarlierState(place);
  if (earlier === undefined || known.stateDigests.includes(earlier.digest)) return known;
  const decoded = decodeState(earlier.text);
  return decoded.kind === "read" ? ledgerOf(decoded.value) : known;
}

/** The move that is open, for whoever only asks for that. */
export function openMoveIn(place: Pick<Paths, "ledger">): OpenMove | undefined {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? written.ledger.move : undefined;
}

/** The names of what moved along with the agent's package, for whoever only asks for that. */
export function companionsIn(place: Pick<Paths, "ledger">): readonly PackageName[] {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? companionNames(written.ledger) : [];
}

/** What is kept, as it was written down. */
export function keptSetsIn(place: Pick<Paths, "ledger">): readonly KeptSet[] {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? written.ledger.kept : [];
}

/** Why the version that the last move has left could not be kept; undefined: it was, or nobody asked for it. */
export function notKeptIn(place: Pick<Paths, "ledger">): NotKept | undefined {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? written.ledger.notKept : undefined;
}

/** Whether a kept package is still what it was when it was put there, with all that moved along; else why not. */
export function checkKept(
  place: Pick<Paths, "ledger" | "keptPackages">,
  kept: KeptPackage,
): { readonly kind: "whole" } | { readonly kind: "unusable"; readonly why: string } {
  const written = readLedgerFile(place);
  if (written.kind === "spoilt") return { kind: "unusable", why: "what moved along with it cannot be read" };
  const sets = written.kind === "ledger" ? written.ledger.kept : [];
  const known = sets.find(({ packageVersion }) => packageVersion === kept.packageVersion);
  return checkSet(place.keptPackages, { ...kept, companions: known?.companions ?? [] });
}

/** Writes it down, and then what an earlier release would go on from: of that it knows the digest beforehand, and the one before. */
export function writeLedger(place: LedgerPlace, ledger: Ledger): void {
  const { root, rootsDirectory: directory } = place;
  makeDirectory(directory, { root });
  const text = encodeState(stateForEarlier(stateTold(place), ledger));
  const lies = readEarlierState(place)?.digest;
  const stateDigests = [...new Set([...(lies === undefined ? [] : [lies]), digestOf(text)])];
  const written = encodeLedger({ ...ledger, stateDigests });
  withReserve({ root, directory }, () => {
    writeFileAtomically(place.ledger, written, { root, mode: 0o644, fault: "state-unwritable" });
    writeFileAtomically(place.earlierState, text, { root, mode: 0o644, fault: "state-unwritable" });
  });
}

/** As the deciding unit left it, which another user may have written: what is no state says nothing. */
function stateTold({ state }: Pick<Paths, "state">): State {
  const reading = readFileCapped(state, { capBytes: longestStateBytes, links: "refuse" });
  const decoded = reading.kind === "read" ? decodeState(reading.text) : undefined;
  return decoded?.kind === "read" ? decoded.value : emptyState;
}

type LedgerReading =
  | { readonly kind: "missing" }
  | { readonly kind: "ledger"; readonly ledger: Ledger }
  | { readonly kind: "spoilt" };

function readLedgerFile({ ledger }: Pick<Paths, "ledger">): LedgerReading {
  const reading = readFileCapped(ledger, { capBytes: longestLedgerBytes, links: "refuse" });
  if (reading.kind === "missing") return { kind: "missing" };
  const decoded = reading.kind === "read" ? decodeLedger(reading.text) : undefined;
  return decoded?.kind === "read" ? { kind: "ledger", ledger: decoded.value } : { kind: "spoilt" };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
