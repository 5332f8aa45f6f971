import type { Figure } from "./measure.ts";

/** A table that can go into the README as it is. */
export function printFigures(title: string, figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ name, milliseconds, ratio, peakKilobytes }) =>
      `| ${name} | ${ratio.toFixed(2)} | ${milliseconds.toFixed(0)} ms | ${peak(peakKilobytes)} |`,
  );
  return [`| ${title} | ratio | median | peak memory |`, "|---|---|---|---|", ...rows].join("\n");
}

function peak(kilobytes: number): string {
  return kilobytes === 0 ? "—" : `${(kilobytes / 1024).toFixed(0)} MiB`;
}
