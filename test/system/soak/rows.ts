import type { HostFigures } from "./host-figures.ts";
import type { PassFigures } from "./pass-figures.ts";

export type Figures = { readonly passes: readonly PassFigures[]; readonly host: HostFigures };

/** One figure at the start and at the end, and the most that still counts as the same. */
export type Row = { readonly name: string; readonly start: number; readonly end: number; readonly most: number };

export function isFlat({ end, most }: Row): boolean {
  return end <= most;
}

/** How much larger than at the start: a share of it, as of what is measured, or a number, as of what is counted. */
export type Room = { readonly share: number } | { readonly more: number };

/** An allocator keeps what it has once had: that settles, and is no leak. */
export const memory: Room = { share: 0.1 };
/** The files and units that the host's own timers come and go with. */
const hosts: Room = { more: 3 };
const nothing: Room = { more: 0 };
/** Numbers with more digits than before. */
const digits: Room = { share: 0.05 };

const ofPasses: readonly (readonly [string, (pass: PassFigures) => number, Room])[] = [
  ["peak memory of the deciding half, KiB", ({ deciding }) => deciding.peakKib, memory],
  ["peak memory of the asking half, KiB", ({ asking }) => asking.peakKib, memory],
  ["most files open in the deciding half", ({ deciding }) => deciding.files, { more: 2 }],
  ["most files open in the asking half", ({ asking }) => asking.files, { more: 2 }],
];

const ofHost: readonly (readonly [string, Exclude<keyof HostFigures, "cursor" | "journalLines" | "journalBytes">, Room])[] = [
  ["state, bytes", "stateBytes", digits],
  ["files in the state directory", "filesOfState", nothing],
  ["disk without the journal, KiB", "diskKib", { more: 512 }],
  ["files in /run", "filesInRun", hosts],
  ["files in /tmp and /var/tmp", "filesInTmp", hosts],
  ["processes", "processes", hosts],
  ["zombies", "zombies", nothing],
  ["units", "units", hosts],
  ["transient units", "transientUnits", nothing],
  ["mounts", "mounts", nothing],
  ["control groups", "cgroups", hosts],
  ["memory of PID 1, KiB", "managerKib", memory],
  ["files open in PID 1", "managerFiles", hosts],
  ["memory of journald, KiB", "journaldKib", { share: 0.5 }],
  ["files open in journald", "journaldFiles", hosts],
];

export function rowsOf(start: Figures, end: Figures): readonly Row[] {
  return [
    ...ofPasses.map(([name, of, room]) => row(name, [median(start.passes.map(of)), median(end.passes.map(of))], room)),
    row("journal, lines a pass", [perPass(start, "journalLines"), perPass(end, "journalLines")], digits),
    row("journal, bytes a pass", [perPass(start, "journalBytes"), perPass(end, "journalBytes")], digits),
    ...ofHost.map(([name, key, room]) => row(name, [start.host[key], end.host[key]], room)),
  ];
}

export function row(name: string, [start, end]: readonly [number, number], room: Room): Row {
  return { name, start, end, most: Math.ceil("share" in room ? start * (1 + room.share) : start + room.more) };
}

function perPass({ host, passes }: Figures, key: "journalLines" | "journalBytes"): number {
  return Math.round((10 * host[key]) / passes.length) / 10;
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

export function printRows(rows: readonly Row[]): string {
  const table = [
    ["", "start", "end", "at most", ""],
    ...rows.map((each) => [each.name, String(each.start), String(each.end), String(each.most), isFlat(each) ? "" : "NOT FLAT"]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const cell = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0);
  return `${table.map((line) => line.map(cell).join("  ").trimEnd()).join("\n")}\n`;
}
