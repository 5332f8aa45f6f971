/** How many characters of a text from outside to quote, by default. */
const longestQuote = 60;

const plain = /^[ -~]*$/;

/** Makes a text from outside safe for a message or a log line: one line, printable, at most `longest` characters. */
export function quote(text: string, longest: number = longestQuote): string {
  // Most texts are plain, and the pattern for all others takes a millisecond to compile.
  if (text.length <= longest && plain.test(text)) return text.trim();
  // Keeps control characters, half characters and marks that change the reading direction out of log lines.
  const printable = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
  const characters = Array.from(printable.trim());
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : characters.join("");
}
