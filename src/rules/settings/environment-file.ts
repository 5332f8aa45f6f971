import { Fault } from "../fault/fault.ts";

/**
 * Reads an environment file as systemd's `EnvironmentFile=` does: no `export`, no comment after a value, no expansion. Pass the bytes as UTF-8 with
 * any byte order mark, which systemd takes for a part of the first name. Like systemd, ignores the whole file if a name or value is not UTF-8 or
 * contains a NUL. A comment ends with its line, although up to systemd 253 a backslash at its end also hid the next line.
 */
export function parseEnvironmentFile(text: string): Readonly<Record<string, string>> {
  if (text.includes("\0")) return {};
  const assignments = readAssignments(text);
  if (!assignments.every(({ name, value }) => isText(name) && isText(value))) return {};
  // A later line wins; a line with an invalid name, such as `export NAME=…`, is ignored.
  return Object.fromEntries(assignments.filter(({ name }) => namePattern.test(name)).map(({ name, value }) => [name, value]));
}

type Assignment = { readonly name: string; readonly value: string };

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
// oxlint-disable-next-line no-control-regex -- any of ASCII
const ascii = /^[\0-\x7f]*$/;

/** Whether the file is text: it has no mark of invalid UTF-8, which decoding leaves, and no code point that systemd refuses. */
function isText(said: string): boolean {
  // Tries ASCII first: most files are, and the pattern for other text takes half a millisecond to compile.
  return ascii.test(said) || !/[\uFFFD\p{Noncharacter_Code_Point}]/u.test(said);
}

function readAssignments(text: string): readonly Assignment[] {
  const assignments: Assignment[] = [];
  let rest = text;
  const take: Take = (pattern) => {
    const taken = pattern.exec(rest)?.[0] ?? "";
    rest = rest.slice(taken.length);
    return taken;
  };
  for (;;) {
    if (rest === "") return assignments;
    if (take(/^[ \t\n\r]+/) !== "" || take(/^[#;][^\n\r]*/) !== "") continue;
    // The name's first character may be anything, even an equals sign, which then makes the name invalid.
    const name = take(/^[^][^=\n\r]*/).replace(/(?<![ \t])[ \t]+$/, "");
    if (take(/^=/) !== "") assignments.push({ name, value: takeValue(take) });
  }
}

/** Takes the match of a pattern from the beginning of the remaining text. */
type Take = (pattern: RegExp) => string;

/** Joins quoted parts, which may have white space between them, and then a plain part up to the end of the line. */
function takeValue(take: Take): string {
  let value = "";
  for (;;) {
    take(/^[ \t]+/);
    const single = take(/^'[^']*'?/);
    const double = single === "" ? take(/^"(?:\\[^]|[^"\\])*/) : "";
    if (single === "" && double === "") return value + plain(take(/^(?:\\[^]?|[^\\\n\r])*/));
    value += single.replaceAll("'", "") + unescaped(double.slice(1));
    if (double !== "") take(/^(?:"|\\$)/);
  }
}

/** Reads a plain part. Quotes are ordinary characters; a backslash keeps the next character, and unescaped white space at the end is dropped. */
function plain(text: string): string {
  const pieces = text.match(/\\[^]?|[ \t]+|[^\\ \t]+/g) ?? [];
  const kept = /^[ \t]/.test(pieces.at(-1) ?? "") ? pieces.slice(0, -1) : pieces;
  return kept.map((piece) => (piece.startsWith("\\") ? piece.slice(1).replace(/[\n\r]/, "") : piece)).join("");
}

/** Reads a double-quoted part. A backslash is dropped before a character that a shell would interpret, and with the end of its line. */
function unescaped(text: string): string {
  return text.replace(/\\([^])/g, (both, sign: string) => (sign === "\n" ? "" : '"\\`$'.includes(sign) ? sign : both));
}

/** The text of an environment file that gives a unit exactly these variables. */
export function environmentFile(env: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(env)
    .map(([name, value]) => (value === undefined ? "" : `${name}="${escaped(name, value)}"\n`))
    .join("");
}

/** Writes a value in double quotes, where systemd unescapes these four characters and keeps all others. */
function escaped(name: string, value: string): string {
  if (/[\n\r\0]/.test(value)) {
    throw new Fault("proxy-invalid", {
      message: `the variable ${name} holds a line break`,
      hint: "write its value on one line, in the file where it is set",
    });
  }
  return value.replace(/["\\`$]/g, "\\$&");
}
