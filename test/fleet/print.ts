/** Columns of text, the first to the left and the others to the right. */
export function printTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join("  "))
    .join("\n");
}

export function whole(number: number): string {
  return Math.round(number).toLocaleString("en");
}

/** Three digits that count. */
export function rounded(number: number): string {
  return Number(number.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}
