import { lstatSync, readdirSync } from "node:fs";
import { asFault } from "../../rules/fault/explain.ts";
import { quote } from "../../rules/text/quote.ts";
import { makeDirectory } from "../../machine/files/directory.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { Paths } from "../../machine/files/paths.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { removeFile } from "../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { mostEvidence, type Outcome, type State } from "../record/state.ts";

/**
 * The last lines of the agent's unit before its version was given up. Only people who may read the journal may see them, and everybody reads the
 * state, so the state only names the file.
 */

export type EvidencePlace = Pick<Paths, "root" | "evidence">;

/** One for each pass that the state remembers. */
const mostFiles = 10;
const capBytes = 16_384;
const longestLine = 400;
const nameOfFile = /^[\da-f]{8}$/;

/**
 * Writes the lines for root and people who may read the journal. Returns the line that says so. Never throws, because the lines only add detail to a
 * fault.
 */
export function keepEvidence(
  place: EvidencePlace,
  { pass, lines }: { readonly pass: string; readonly lines: readonly string[] },
  log: Log,
): readonly string[] {
  const name = pass.slice(0, 8);
  if (lines.length === 0 || !nameOfFile.test(name)) return [];
  try {
    makeDirectory(place.evidence, place);
    const path = `${place.evidence}/${name}`;
    // The file gets the group of its directory, which the package sets for people who may read the journal.
    writeFileAtomically(path, `${lines.join("\n")}\n`, { root: place.root, mode: 0o640, fault: "file-failed" });
    forgetOldest(place);
    return [`in ${path}`];
  } catch (thrown) {
    log("warning", `what the agent's unit said last could not be kept: ${asFault(thrown).message}`, {});
    return [];
  }
}

/** Puts the lines themselves into the state, for a user who may read them. */
export function withEvidence(state: State, place: EvidencePlace): State {
  return { ...state, passes: state.passes.map((pass) => ({ ...pass, outcome: withLines(pass.outcome, place) })) };
}

export function withLines(outcome: Outcome, place: EvidencePlace): Outcome {
  if (outcome.kind !== "failed" && outcome.kind !== "undone") return outcome;
  const lines = readEvidence(outcome.evidence, place);
  return lines === undefined ? outcome : { ...outcome, evidence: lines };
}

/**
 * The lines. Undefined if this user may not read them, or if `told` already has them; empty if the file was removed to make room. The record names a
 * file, never another directory.
 */
function readEvidence([told = "", ...others]: readonly string[], { evidence }: EvidencePlace): readonly string[] | undefined {
  const start = `in ${evidence}/`;
  const name = told.slice(start.length);
  if (others.length > 0 || !told.startsWith(start) || !nameOfFile.test(name)) return undefined;
  const reading = readFileCapped(`${evidence}/${name}`, { capBytes, links: "refuse" });
  if (reading.kind === "missing") return [];
  if (reading.kind !== "read") return undefined;
  const lines = reading.text.split("\n").filter((line) => line !== "");
  return lines.slice(-mostEvidence).map((line) => quote(line, longestLine));
}

function forgetOldest({ root, evidence }: EvidencePlace): void {
  const files = readdirSync(evidence).map((name) => ({ name, at: lstatSync(`${evidence}/${name}`).mtimeMs }));
  const old = files.toSorted((one, other) => other.at - one.at).slice(mostFiles);
  for (const { name } of old) removeFile(`${evidence}/${name}`, root);
}
