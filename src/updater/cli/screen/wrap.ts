/** The width of every output, so that it also fits into mails and tickets. */
export const screenColumns = 80;

/** Breaks lines between words at this number of columns. A longer word stays whole, so that it can be copied. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}
