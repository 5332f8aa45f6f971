import type { Surroundings } from "../surroundings.ts";

/** Styles for terminals. The words alone say everything. */
export type Paint = {
  readonly strong: (text: string) => string;
  readonly good: (text: string) => string;
  readonly caution: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly faint: (text: string) => string;
};

/** Colours a terminal unless the user has set NO_COLOR (https://no-color.org). */
export function paintFor(stream: "terminal" | "journal" | "other", { environment }: Pick<Surroundings, "environment">): Paint {
  const isPlain = stream !== "terminal" || (environment["NO_COLOR"] ?? "") !== "";
  return isPlain ? plain : coloured;
}

const same = (text: string): string => text;
const plain: Paint = { strong: same, good: same, caution: same, bad: same, faint: same };

const coloured: Paint = {
  strong: between(1, 22),
  good: between(32, 39),
  caution: between(33, 39),
  bad: between(31, 39),
  faint: between(2, 22),
};

/** ECMA-48 has a code that starts each style, and a code that ends only that style. */
function between(start: number, end: number): (text: string) => string {
  return (text) => (text === "" ? "" : `\u001B[${start}m${text}\u001B[${end}m`);
}
