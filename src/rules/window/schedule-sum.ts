/** Whether a schedule's text is complete, by the checksum on its last line. */
export type Summed =
  /** The text has no checksum: another program wrote it. */
  | { readonly kind: "plain" }
  | { readonly kind: "summed"; readonly before: string; readonly sum: string }
  /** The text announces a checksum but ends without one, so its end is missing. */
  | { readonly kind: "cut" };

/** The end of the first line. It announces the checksum, so that readers notice a file without its end. */
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

/** The cluster of the agent that wrote the text, from its second line. Messages name it. */
export function clusterIn(before: string): string | undefined {
  return /^[^\n]*\n# [A-Z][a-z ]* the cluster ([ -~]{1,100})\n/.exec(before)?.[1];
}

export const noteBegins = "# Note: ";

/** The agent's note for people, from the third line. */
export function noteIn(before: string): string | undefined {
  const [, , third = ""] = before.split("\n", 3);
  return third.startsWith(noteBegins) ? third.slice(noteBegins.length) : undefined;
}

/** Adds the checksum line. `before` ends with a newline. */
export function withSum(before: string, sum: string): string {
  return `${before}${sumLine(sum)}`;
}

function sumLine(sum: string): string {
  return `# sum ${sum}\n`;
}

/** The length of the checksum line, which every checksum has. */
export const sumLength: number = sumLine("0".repeat(64)).length;
