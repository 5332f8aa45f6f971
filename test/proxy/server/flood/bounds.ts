import type { Flood, Flooded } from "./flood.ts";

/** For a machine on which nothing else runs. The memory is half as much again as 1,500 clients that read nothing make of it. */
const mostMib = 768;
const longestWaitMs = 1000;

/** What is broken of what is promised to whoever asks honestly; empty where all holds. */
export function brokenBy({ lost, worstMs, peakMib }: Flooded): readonly string[] {
  return [
    ...(lost.length === 0 ? [] : [`${lost.length} answers lost, the first: ${lost[0]}`]),
    ...Object.entries(worstMs).flatMap(([connection, ms]) =>
      ms <= longestWaitMs ? [] : [`${ms} ms over a ${connection} connection, and ${longestWaitMs} are allowed`],
    ),
    ...(peakMib <= mostMib ? [] : [`${peakMib} MiB, and ${mostMib} are allowed`]),
  ];
}

const widths = [8, 20, 11, 6, 5, 10, 10, 8, 6];

export const heading: string = line(["", "they", "connections", "asked", "lost", "fresh, ms", "kept, ms", "MiB", "shed"]);

export function rowOf({ scheme, manner, connections }: Flood, of: Flooded): string {
  const { asked, lost, worstMs, peakMib, shed } = of;
  return line([scheme, manner, connections, asked, lost.length, worstMs.fresh, worstMs.kept, peakMib, shed]);
}

function line(cells: readonly (string | number)[]): string {
  const padded = cells.map((cell, column) =>
    column < 2 ? String(cell).padEnd(widths[column] ?? 0) : String(cell).padStart(widths[column] ?? 0),
  );
  return padded.join("  ").trimEnd();
}
