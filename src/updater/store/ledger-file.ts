import { makeDirectory } from "../../machine/files/directory.ts";
import type { Paths } from "../../machine/files/paths.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import {
  companionNames,
  decodeLedger,
  emptyLedger,
  encodeLedger,
  longestLedgerBytes,
  type KeptSet,
  type NotKept,
  type Ledger,
  type OpenMove,
} from "../record/ledger.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageName } from "../../rules/settings/settings.ts";
import { checkSet } from "./kept-packages.ts";
import { withReserve } from "./reserve.ts";

export type LedgerPlace = Pick<Paths, "root" | "rootsDirectory" | "ledger">;

/** Reads what the acting side knows about earlier changes. A damaged ledger counts as empty. */
export function readLedger(place: Pick<Paths, "ledger">): Ledger {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? written.ledger : emptyLedger;
}

/** The open move. */
export function openMoveIn(place: Pick<Paths, "ledger">): OpenMove | undefined {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? written.ledger.move : undefined;
}

/** The names of the packages that moved along with the agent's. */
export function companionsIn(place: Pick<Paths, "ledger">): readonly PackageName[] {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? companionNames(written.ledger) : [];
}

/** The kept sets, as they were written down. */
export function keptSetsIn(place: Pick<Paths, "ledger">): readonly KeptSet[] {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? written.ledger.kept : [];
}

/** Why the version before the last move could not be kept; undefined if it was kept, or if nobody asked for it. */
export function notKeptIn(place: Pick<Paths, "ledger">): NotKept | undefined {
  const written = readLedgerFile(place);
  return written.kind === "ledger" ? written.ledger.notKept : undefined;
}

/** Whether a kept package and those that moved along are unchanged since they were kept; if not, why. */
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

export function writeLedger(place: LedgerPlace, ledger: Ledger): void {
  const { root, rootsDirectory: directory } = place;
  makeDirectory(directory, { root });
  const text = encodeLedger(ledger);
  withReserve({ root, directory }, () =>
    writeFileAtomically(place.ledger, text, { root, mode: 0o644, fault: "state-unwritable" }),
  );
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
