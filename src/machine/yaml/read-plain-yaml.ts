/**
 * Reads the plain part of YAML: nested keys, lists, both also in flow style on one line, simple scalars, comments. Undefined for anything else and
 * for mistakes, which the library then reads. A test compares both readers.
 */
export function readPlainYaml(text: string): { readonly value: unknown } | undefined {
  const lines = splitLines(text);
  if (lines === undefined) return undefined;
  const first = lines[0];
  if (first === undefined) return { value: null };
  const cursor: Cursor = { lines, next: 0 };
  try {
    const value = readBlock(cursor, first.indent);
    return cursor.next === lines.length ? { value } : undefined;
  } catch (thrown) {
    if (thrown instanceof NotPlain) return undefined;
    throw thrown;
  }
}

/** Thrown and caught only in this file. */
class NotPlain extends Error {}

type Line = { readonly indent: number; readonly content: string };
type Cursor = { readonly lines: Line[]; next: number };

/** A character outside these might be a line break, a mark of another encoding or a special indentation. */
const plainCharacters = /^[\n\x20-\x7e\u00a1-\u167f]*$/;
const commentOrBlank = /^ *(?:#.*)?$/;
/** No configuration is indented deeper. */
const mostIndent = 40;

function splitLines(text: string): Line[] | undefined {
  if (!plainCharacters.test(text)) return undefined;
  const lines: Line[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    if (commentOrBlank.test(raw) || (index === 0 && raw === "---")) continue;
    const content = raw.trimStart();
    const indent = raw.length - content.length;
    if (indent > mostIndent) return undefined;
    lines.push({ indent, content });
  }
  return lines;
}

function readBlock(cursor: Cursor, indent: number): unknown {
  return cursor.lines[cursor.next]?.content.startsWith("-") === true ? readList(cursor, indent) : readMap(cursor, indent);
}

/** The lookbehind matches a row of blanks once, and not from each blank: a file may have thousands in a row. */
const ending = String.raw`(?:(?<! ) +#.*)?(?<! ) *$`;
const entryPattern = new RegExp(String.raw`^([A-Za-z_][A-Za-z0-9_-]{0,63}):(?: +(?=[^ #])(.*?))?${ending}`);
const itemPattern = /^- (?=[^ ])(.*)$/;

function readMap(cursor: Cursor, indent: number): unknown {
  const map: Record<string, unknown> = {};
  for (let line = cursor.lines[cursor.next]; line?.indent === indent; line = cursor.lines[cursor.next]) {
    const match = entryPattern.exec(line.content);
    const key = match?.[1];
    if (key === undefined || key === "__proto__" || Object.hasOwn(map, key)) throw new NotPlain();
    cursor.next += 1;
    map[key] = match?.[2] === undefined ? readBelow(cursor, indent) : readValue(match[2]);
  }
  refuseDeeper(cursor, indent);
  return map;
}

/** Reads the value below a key whose own line has none: a deeper block, a list as deep as the key, or nothing. */
function readBelow(cursor: Cursor, indent: number): unknown {
  const line = cursor.lines[cursor.next];
  if (line === undefined || line.indent < indent) return null;
  if (line.indent > indent) return readBlock(cursor, line.indent);
  return line.content.startsWith("-") ? readList(cursor, indent) : null;
}

function readList(cursor: Cursor, indent: number): unknown {
  const list: unknown[] = [];
  for (let line = cursor.lines[cursor.next]; line?.indent === indent; line = cursor.lines[cursor.next]) {
    // A list as deep as its key ends at the next key.
    if (!line.content.startsWith("-")) return list;
    const item = itemPattern.exec(line.content)?.[1];
    if (item === undefined || item.startsWith("- ")) throw new NotPlain();
    if (entryPattern.test(item)) {
      // An item's keys stand two columns further in, behind the dash.
      cursor.lines[cursor.next] = { indent: indent + 2, content: item };
      list.push(readMap(cursor, indent + 2));
    } else {
      cursor.next += 1;
      list.push(readValue(item.replace(new RegExp(ending), "")));
    }
  }
  refuseDeeper(cursor, indent);
  return list;
}

/** A deeper line would continue the scalar before it, or be a mistake. */
function refuseDeeper(cursor: Cursor, indent: number): void {
  if ((cursor.lines[cursor.next]?.indent ?? 0) > indent) throw new NotPlain();
}

function readValue(text: string): unknown {
  if (!/^[[{]/.test(text)) return readScalar(text);
  const words = (text.match(/[[\]{},]|[^[\]{},]+/g) ?? []).map((word) => word.trim()).filter((word) => word !== "");
  const flow: Flow = { words, next: 0 };
  const value = readFlow(flow, 0);
  if (flow.next < words.length) throw new NotPlain();
  return value;
}

/** The signs of flow style, and the words between them. */
type Flow = { readonly words: readonly string[]; next: number };

/** No configuration nests deeper. */
const mostFlows = 8;

function readFlow(flow: Flow, depth: number): unknown {
  const word = flow.words[flow.next] ?? "";
  flow.next += 1;
  if (depth > mostFlows) throw new NotPlain();
  if (word === "[") return readParts(flow, "]", () => readFlow(flow, depth + 1));
  return word === "{" ? mapOf(readParts(flow, "}", () => readPair(flow, depth + 1))) : readScalar(word);
}

/** Reads parts, separated by commas, up to the closing sign. */
function readParts<Part>(flow: Flow, close: string, read: () => Part): readonly Part[] {
  const parts: Part[] = [];
  for (let word = flow.words[flow.next]; word !== close; word = flow.words[flow.next]) {
    if (parts.length > 0) {
      if (word !== ",") throw new NotPlain();
      flow.next += 1;
    }
    parts.push(read());
  }
  flow.next += 1;
  return parts;
}

/** The value follows the colon in the same word; a list or map follows as the next word. */
function readPair(flow: Flow, depth: number): readonly [key: string, value: unknown] {
  const [, key, value] = /^([A-Za-z_][A-Za-z0-9_-]{0,63}):(?: +([^ ].*))?$/.exec(flow.words[flow.next] ?? "") ?? [];
  if (key === undefined) throw new NotPlain();
  flow.next += 1;
  if (value !== undefined) return [key, readScalar(value)];
  if (!/^[[{]$/.test(flow.words[flow.next] ?? "")) throw new NotPlain();
  return [key, readFlow(flow, depth)];
}

function mapOf(pairs: readonly (readonly [key: string, value: unknown])[]): unknown {
  const map = Object.fromEntries(pairs);
  if (Object.keys(map).length < pairs.length || Object.hasOwn(map, "__proto__")) throw new NotPlain();
  return map;
}

const plainPattern = /^[A-Za-z0-9/](?:[A-Za-z0-9/_.@+=%-]|:(?=[A-Za-z0-9/_.@+=%-])| (?=[A-Za-z0-9/]))*$/;
/** No quotes or escapes inside, and no sign of a list. */
const quotedPattern = /^(["'])((?:(?!\1)[^\\,[\]])*)\1$/;
const wholeNumber = /^(?:0|[1-9]\d{0,14})$/;
const otherWords: readonly string[] = ["null", "Null", "NULL", "True", "TRUE", "False", "FALSE"];

function readScalar(text: string): string | number | boolean {
  const quoted = quotedPattern.exec(text);
  if (quoted !== null) return quoted[2] ?? "";
  if (!plainPattern.test(text) || otherWords.includes(text)) throw new NotPlain();
  if (text === "true" || text === "false") return text === "true";
  if (wholeNumber.test(text)) return Number(text);
  // The text begins like a number. It is a word only if it has a letter that no number has.
  if (/^\d/.test(text) && (/^0[xob]/i.test(text) || !/[g-zG-Z:/]/.test(text))) throw new NotPlain();
  return text;
}
