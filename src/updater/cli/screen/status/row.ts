import type { Beholder } from "../../times/moment.ts";
import type { Paint } from "../paint.ts";
import { screenColumns, wrap } from "../wrap.ts";

/** The reader: when and where the screen is read, and about which root. */
export type Reader = Beholder & { readonly root: string };

export type Tone = "usual" | "good" | "caution" | "bad";

/** What a row tells; each line is wrapped by itself. */
export type Row = { readonly label: string; readonly lines: readonly string[]; readonly tone: Tone };

export function row(label: string, ...lines: readonly string[]): Row {
  return { label, lines, tone: "usual" };
}

export function caution(label: string, ...lines: readonly string[]): Row {
  return { label, lines, tone: "caution" };
}

export function bad(label: string, ...lines: readonly string[]): Row {
  return { label, lines, tone: "bad" };
}

/** No label is longer. */
export const labelColumns = 12;

export function printRow({ label, lines, tone }: Row, paint: Paint): string {
  const wrapped = lines.flatMap((line) => wrap(line, screenColumns - labelColumns));
  return wrapped
    .map((line, index) => {
      const start = index === 0 ? paint.faint(label.padEnd(labelColumns)) : " ".repeat(labelColumns);
      return `${start}${toned(line, tone, paint)}\n`;
    })
    .join("");
}

export function toned(text: string, tone: Tone, paint: Paint): string {
  return tone === "usual" ? text : paint[tone](text);
}
