import { quote } from "../../../fault/quote.ts";
import type { Outcome } from "../../../record/state.ts";
import { screenColumns } from "../wrap.ts";
import { labelColumns, row, type Row } from "./row.ts";

/** Room for the sign that a line was cut. */
const longestLine: number = screenColumns - labelColumns - 1;

/** What the agent's unit said last before its version was given up: a line each, whole in --json. */
export function evidenceRows(outcome: Outcome): readonly Row[] {
  if (outcome.kind !== "failed" && outcome.kind !== "undone") return [];
  const { evidence } = outcome;
  return evidence.length === 0 ? [] : [row("agent said", ...evidence.map((line) => quote(line, longestLine)))];
}
