/**
 * Text for roff, character by character: hyphens that can be copied, straight quotes, and no line that roff takes for a request. Words in backquotes
 * are bold, because people type them as they are.
 */
export function text(plain: string): string {
  const spans = plain.split("`").map((span, at) => (at % 2 === 0 ? literal(span) : bold(span)));
  return spans.join("").replace(/^\./, "\\&.");
}

export function bold(words: string): string {
  return `\\fB${literal(words)}\\fR`;
}

/** Marks a placeholder. */
export function italic(words: string): string {
  return `\\fI${literal(words)}\\fR`;
}

/** Adds a capital and a full stop, as in running text. */
export function sentence(plain: string): string {
  return `${text(plain.charAt(0).toUpperCase() + plain.slice(1))}${/[.?]$/.test(plain) ? "" : "."}`;
}

/** A paragraph that hangs below its tag. */
export function tagged(tag: string, lines: readonly string[]): string {
  return [".TP", tag, ...lines, ""].join("\n");
}

/** Indents tagged paragraphs, so that they stand below the text of another one. */
export function indented(paragraphs: readonly string[]): string {
  return paragraphs.length === 0 ? "" : `.RS\n${paragraphs.join("")}.RE\n`;
}

const names: Readonly<Record<string, string>> = {
  "\\": "\\(rs",
  "-": "\\-",
  '"': "\\(dq",
  "'": "\\(aq",
  "^": "\\(ha",
  "~": "\\(ti",
};

function literal(plain: string): string {
  return plain.replaceAll(/[\\"'^~-]|[^ -~]/gu, (character) => names[character] ?? byNumber(character));
}

function byNumber(character: string): string {
  return `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`;
}
