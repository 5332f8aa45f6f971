import type { Figure } from "./measure.ts";

/** Prints a table for the documents. */
export function printFigures(title: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ name, milliseconds, ratio, processorRatio, peakKilobytes }) =>
    [name, ratio.toFixed(2), processorRatio?.toFixed(2) ?? "—", `${milliseconds.toFixed(0)} ms`, peak(peakKilobytes)].join(" | "),
  );
  const head = [title, "ratio", "by processor time", "median", "peak memory"].join(" | ");
  return [head, "---|---|---|---|---", ...rows].map((row) => (row.startsWith("-") ? `|${row}|` : `| ${row} |`)).join("\n");
}

function peak(kilobytes: number): string {
  return kilobytes === 0 ? "—" : `${(kilobytes / 1024).toFixed(1)} MiB`;
}
