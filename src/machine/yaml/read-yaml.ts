import { quote } from "../../rules/text/quote.ts";
import { readPlainYaml } from "./read-plain-yaml.ts";

export type YamlReading =
  | { readonly kind: "value"; readonly value: unknown }
  /** `why` names the line, if one is to blame. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * Reads YAML as plain data: unique keys, no custom tags, timestamps as text. Most files are plain, and are read without the library, whose loading
 * takes as long as starting the program.
 */
export async function readYaml(text: string): Promise<YamlReading> {
  const plain = readPlainYaml(text);
  return plain === undefined ? readAnyYaml(text) : { kind: "value", value: plain.value };
}

/** Settings need no aliases. A file in which each alias doubles the one before would fill the memory. */
const mostAliases = 20;

/** Reads with the library only. The plain reader must agree with it. */
export async function readAnyYaml(text: string): Promise<YamlReading> {
  if (isTooDeep(text)) return { kind: "refused", why: `its lists or mappings are nested deeper than ${mostDepth} levels` };
  const { parseAllDocuments } = await import("yaml");
  const documents = parseAllDocuments(text, {
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    schema: "core",
    version: "1.2",
    prettyErrors: true,
  });
  if (!Array.isArray(documents)) return { kind: "value", value: null };
  const [document, ...others] = documents;
  if (document === undefined) return { kind: "value", value: null };
  if (others.length > 0) return { kind: "refused", why: "it holds more than one document" };
  const complaint = document.errors[0] ?? document.warnings[0];
  if (complaint !== undefined) return { kind: "refused", why: complain(complaint) };
  try {
    return { kind: "value", value: document.toJS({ maxAliasCount: mostAliases }) };
  } catch (thrown) {
    return { kind: "refused", why: quote(thrown instanceof Error ? thrown.message : String(thrown), longestComplaint) };
  }
}

/** Deeper than any file of settings; the library reads each level by a call. */
const mostDepth = 100;

/** Brackets in texts count too: no file has so many before the first closing one. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth < 0) depth = 0;
    if (depth > mostDepth) return true;
  }
  return false;
}

const longestComplaint = 200;

/** The first line of the library's message says all; the rest quotes the place. */
function complain({
  message,
  linePos,
}: {
  readonly message: string;
  readonly linePos?: readonly { readonly line: number }[];
}): string {
  const [first = ""] = message.split("\n");
  const what = first.replace(/ at line \d+, column \d+:?$/, "");
  const line = linePos?.[0]?.line;
  return quote(line === undefined ? what : `line ${line}: ${what}`, longestComplaint);
}
