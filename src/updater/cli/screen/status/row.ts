import type { Beholder } from "../../times/moment.ts";
import type { Paint } from "../paint.ts";
import { screenColumns, wrap } from "../wrap.ts";

/** When and in which time zone the screen is read, and the root that it is about. */
export type Reader = Beholder & { readonly root: string };

export type Tone = "usual" | "good" | "caution" | "bad";

/** A row with its label. Each line is wrapped separately. */
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

/** The width of the labels. */
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
