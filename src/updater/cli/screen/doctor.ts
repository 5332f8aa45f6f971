import type { Check } from "../../doctor/check.ts";
import type { Paint } from "./paint.ts";
import { screenColumns, wrap } from "./wrap.ts";

const verdictColumns = 9;
const nameColumns = 10;
const toldColumns = screenColumns - verdictColumns - nameColumns;
const fixIndent = "    ";

/** Prints the verdict, the name and the finding, and below them the command to copy. */
export function checkLines({ name, verdict, told, fix }: Check, paint: Paint): string {
  const colours: Readonly<Record<Check["verdict"], (text: string) => string>> = {
    ok: paint.good,
    warning: paint.caution,
    failed: paint.bad,
    skipped: paint.faint,
  };
  const [first = "", ...others] = wrap(told, toldColumns);
  const indent = " ".repeat(verdictColumns + nameColumns);
  const lines = [
    `${colours[verdict](verdict)}${" ".repeat(verdictColumns - verdict.length)}${name.padEnd(nameColumns)}${first}`,
    ...others.map((line) => `${indent}${line}`),
    ...(fix === undefined ? [] : [`${fixIndent}${paint.strong(fix)}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Prints `1 failed, 2 warnings`, and how many checks were skipped. */
export function summaryLine(checks: readonly Check[], paint: Paint): string {
  const [failed, warnings, skipped] = (["failed", "warning", "skipped"] as const).map((verdict) => countOf(checks, verdict));
  const counts = `${failed} failed, ${warnings} ${warnings === 1 ? "warning" : "warnings"}${skipped === 0 ? "" : `, ${skipped} skipped`}`;
  return `${paint.strong(counts)}\n`;
}

export function countOf(checks: readonly Check[], wanted: Check["verdict"]): number {
  return checks.filter(({ verdict }) => verdict === wanted).length;
}
