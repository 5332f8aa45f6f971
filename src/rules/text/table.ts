import { quote } from "./quote.ts";

/** Longer cells are cut, because their text may come from outside. */
const longestCell = 128;

/** Prints columns under their names, two blanks apart. Makes text from outside safe. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = (row: readonly string[]): readonly string[] => row.map((cell) => quote(cell, longestCell));
  const [names, cells] = [shown(head), rows.map(shown)];
  const widths = names.map((name, column) => cells.reduce((most, row) => Math.max(most, width(row[column] ?? "")), width(name)));
  const rule = widths.map((wide) => "-".repeat(wide));
  return [names, rule, ...cells]
    .map(
      (row) =>
        `${row
          .map((cell, column) => padded(cell, widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** Prints one row for each name, with the text beside it. */
export function facts(rows: readonly (readonly [name: string, told: string])[]): string {
  const wide = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, told]) => `${name.padEnd(wide)}  ${told}\n`).join("");
}

function padded(cell: string, wide: number): string {
  return cell + " ".repeat(Math.max(0, wide - width(cell)));
}

const plain = /^[ -~]*$/;

function width(cell: string): number {
  // Tests for plain text first: ten thousand rows have fifty thousand cells, and most are plain.
  return plain.test(cell) ? cell.length : Array.from(cell).length;
}
