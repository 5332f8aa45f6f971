/** How many characters of a text from outside a message quotes by default. */
const longestQuote = 60;

const plain = /^[ -~]*$/;

/** Makes a text from outside safe for a message or a log line: one line, printable, at most `longest` characters. */
export function quote(text: string, longest: number = longestQuote): string {
  // Most texts are plain, and compiling the pattern for all others takes a millisecond.
  if (text.length <= longest && plain.test(text)) return text.trim();
  // Control characters, half characters and marks that change the reading direction must not reach a log line.
  const printable = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
  const characters = Array.from(printable.trim());
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : characters.join("");
}
