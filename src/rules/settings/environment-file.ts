import { Fault } from "../fault/fault.ts";

/**
 * The variables of an environment file, as systemd's `EnvironmentFile=` understands it: no `export`, no comment behind
 * a value, no expansion. Take the file's bytes as UTF-8 without dropping a byte order mark: to systemd it is part of the
 * first name. Like systemd, a file with bytes that are no UTF-8 in a name or a value, or with a NUL, says nothing at all.
 * A comment ends at its line, whichever systemd the host has: up to 253 a backslash there hid the next line as well.
 */
export function parseEnvironmentFile(text: string): Readonly<Record<string, string>> {
  if (text.includes("\0")) return {};
  const assignments = readAssignments(text);
  if (!assignments.every(({ name, value }) => isText(name) && isText(value))) return {};
  // A later line wins; a line whose name is none is passed over, as `export NAME=…` is.
  return Object.fromEntries(assignments.filter(({ name }) => namePattern.test(name)).map(({ name, value }) => [name, value]));
}

type Assignment = { readonly name: string; readonly value: string };

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
// oxlint-disable-next-line no-control-regex -- any of ASCII
const ascii = /^[\0-\x7f]*$/;

/** What decoding leaves of bytes that are no UTF-8 is no text, nor are the code points that systemd takes for none. */
function isText(said: string): boolean {
  // Nearly all of it is ASCII, and the pattern for all else takes half a millisecond to read.
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
    // Its first sign may be anything, even an equals sign: what comes of that is no name.
    const name = take(/^[^][^=\n\r]*/).replace(/(?<![ \t])[ \t]+$/, "");
    if (take(/^=/) !== "") assignments.push({ name, value: takeValue(take) });
  }
}

/** Takes what a pattern finds at the front of the rest of the text. */
type Take = (pattern: RegExp) => string;

/** Any number of quoted parts, run together whatever white space lies between; then, up to the line's end, a plain one. */
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

/** Quotes are ordinary signs here, a backslash takes the next sign as it is, and white space at the end goes unless it was escaped. */
function plain(text: string): string {
  const pieces = text.match(/\\[^]?|[ \t]+|[^\\ \t]+/g) ?? [];
  const kept = /^[ \t]/.test(pieces.at(-1) ?? "") ? pieces.slice(0, -1) : pieces;
  return kept.map((piece) => (piece.startsWith("\\") ? piece.slice(1).replace(/[\n\r]/, "") : piece)).join("");
}

/** Between double quotes a backslash is dropped before what a shell would take from it, and together with a line's end. */
function unescaped(text: string): string {
  return text.replace(/\\([^])/g, (both, sign: string) => (sign === "\n" ? "" : '"\\`$'.includes(sign) ? sign : both));
}

/** The text of a file that gives a unit exactly these variables. */
export function environmentFile(env: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(env)
    .map(([name, value]) => (value === undefined ? "" : `${name}="${escaped(name, value)}"\n`))
    .join("");
}

/** Between double quotes systemd unescapes these four and takes all else as it stands. */
function escaped(name: string, value: string): string {
  if (/[\n\r\0]/.test(value)) {
    throw new Fault("proxy-invalid", {
      message: `the variable ${name} holds a line break`,
      hint: "write its value on one line, in the file where it is set",
    });
  }
  return value.replace(/["\\`$]/g, "\\$&");
}
