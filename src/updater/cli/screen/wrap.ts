/** Every screen is read at this width, on any terminal and in any ticket. */
export const screenColumns = 80;

/** Lines of at most so many columns, broken between words; a word that is longer stays whole, for whoever copies it. */
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
