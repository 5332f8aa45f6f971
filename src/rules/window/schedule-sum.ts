/** What a schedule's text says of its own wholeness. */
export type Summed =
  /** It has no sum: another program wrote it. */
  | { readonly kind: "plain" }
  | { readonly kind: "summed"; readonly before: string; readonly sum: string }
  /** It says that it has one, and the last line is none. */
  | { readonly kind: "cut" };

/** The end of the first line of a schedule whose last line has to be its sum: half of one is known as half by it. */
export const announcement = "the last line is the sum of the others";

const lastLine = /(?:^|\n)# sum ([0-9a-f]{64})\s*$/;

export function summedIn(text: string): Summed {
  const found = lastLine.exec(text);
  if (found !== null) {
    const [whole, sum = ""] = found;
    return { kind: "summed", before: text.slice(0, found.index + (whole.startsWith("\n") ? 1 : 0)), sum };
  }
  const [first = ""] = text.split("\n", 1);
  return first.startsWith("#") && first.trimEnd().endsWith(announcement) ? { kind: "cut" } : { kind: "plain" };
}

/** Which cluster's agent wrote it: its second line says so, to whoever tells of the file. */
export function clusterIn(before: string): string | undefined {
  return /^[^\n]*\n# [A-Z][a-z ]* the cluster ([ -~]{1,100})\n/.exec(before)?.[1];
}

/** `before` ends with its newline. */
export function withSum(before: string, sum: string): string {
  return `${before}${sumLine(sum)}`;
}

function sumLine(sum: string): string {
  return `# sum ${sum}\n`;
}

/** How long the text is with its sum, whatever that is. */
export const sumLength: number = sumLine("0".repeat(64)).length;
