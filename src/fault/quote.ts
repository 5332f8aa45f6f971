/** How much of a stranger's text a message quotes unless told otherwise. */
const longestQuote = 60;

/** A stranger's text for a message or a log line: one line, printable, short. */
export function quote(text: string, longest: number = longestQuote): string {
  // oxlint-disable-next-line no-control-regex -- what comes from outside may hold anything; a log line may not
  const printable = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  return printable.length > longest ? `${printable.slice(0, longest)}…` : printable;
}
