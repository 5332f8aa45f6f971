import type { Moment } from "./play.ts";

const widest = 40;

export function bar(share: number): string {
  const eighths = Math.round(share * widest * 8);
  const rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]!;
  return `${"█".repeat(Math.floor(eighths / 8))}${rest}` || (share > 0 ? "▏" : "");
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

/** The share of hosts at the target, from one half of a day to the next. */
export function drawProgress(moments: readonly Moment[], hosts: number): string {
  const shown = moments.filter((_, index) => index % 2 === 0 || index === moments.length - 1);
  const first = shown[0]?.at ?? 0;
  return shown
    .map(({ at, atTarget }) => {
      const day = ((at - first) / 86_400).toFixed(1);
      return `day ${day.padStart(4)}  ${count(atTarget).padStart(8)}  ${bar(atTarget / hosts)}`;
    })
    .join("\n");
}

/** Numbers are set to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)));
  const isNumber = (cell: string): boolean => /^[\d,.]+$/.test(cell);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (isNumber(cell) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join("  ")
      .trimEnd();
  return [head, ...rows].map(line).join("\n");
}
