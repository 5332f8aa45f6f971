import type { Node } from "yaml";
import type { Wrong } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { readResource, type Resource } from "../resource/resource.ts";
import { isMapping, type Mapping } from "../../rules/shape/reading.ts";
import { depthOf } from "./yaml/depth.ts";
import { nodeAt, type Yaml } from "./yaml/node-at.ts";

export type ReadDocument = {
  /** The document as plain data. Auth reads it again. */
  readonly value: Mapping;
  readonly resource: Resource;
  /** Finds the place of a fault in the file. */
  readonly placed: (at: string) => string;
};

export type DocumentsReading =
  | { readonly kind: "documents"; readonly documents: readonly ReadDocument[] }
  | { readonly kind: "faults"; readonly wrong: readonly Wrong[] };

/** Nobody keeps more resources in one file, and each needs a call. */
const mostDocuments = 1000;
/** Deeper than any resource. */
const mostDepth = 64;
const longestComplaint = 200;

/** Reads every resource of a YAML or JSON file, or returns all faults with their lines. */
export async function readDocuments(text: string): Promise<DocumentsReading> {
  const depth = depthOf(text);
  if (depth > mostDepth) return tooMuch(`nested ${depth} levels deep`, mostDepth);
  const yaml = await import("yaml");
  const { parts, wrong } = readYaml(yaml, text);
  if (parts.length > mostDocuments) return tooMuch(`${parts.length} documents`, mostDocuments);
  const documents: ReadDocument[] = [];
  const lines = new Map<string, number>();
  for (const { node, value, lineOf } of parts) {
    const placed = (at: string): string => `line ${lineOf(nodeAt(yaml, node, at))}${at === "" ? "" : `: ${at}`}`;
    const reading = readResource(value);
    if (reading.kind === "refused") {
      wrong.push(...reading.refusals.map((fault) => ({ ...fault, at: placed(fault.at) })));
      continue;
    }
    const resource = reading.value;
    const name = `${resource.kind}/${resource.metadata.name}`;
    const before = lines.get(name);
    if (before !== undefined) {
      wrong.push({ at: placed(""), found: `${name} once more, it stands in line ${before} already`, allowed: "each once" });
    }
    lines.set(name, lineOf(node));
    // Any other value was refused before.
    if (isMapping(value)) documents.push({ value, resource, placed });
  }
  if (wrong.length > 0) return { kind: "faults", wrong: wrong.toSorted((left, right) => lineIn(left) - lineIn(right)) };
  if (documents.length > 0) return { kind: "documents", documents };
  const allowed = "at least one, with kind, version, metadata, spec";
  return { kind: "faults", wrong: [{ at: "", found: "no resource", allowed }] };
}

/** The fault's line in the file. Faults are sorted by it. */
function lineIn({ at }: Wrong): number {
  return Number(/^line (\d+)/.exec(at)?.[1] ?? 0);
}

function tooMuch(found: string, most: number): DocumentsReading {
  return { kind: "faults", wrong: [{ at: "", found, allowed: `at most ${most}` }] };
}

type Part = { readonly node: Node; readonly value: unknown; readonly lineOf: (node: Node) => number };

/** Reads the text as plain data, with the faults of the text itself. */
function readYaml(yaml: Yaml, text: string): { readonly parts: readonly Part[]; readonly wrong: Wrong[] } {
  const counter = new yaml.LineCounter();
  const lineOf = (node: Node): number => counter.linePos(node.range?.[0] ?? 0).line;
  const parsed = yaml.parseAllDocuments(text, {
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    schema: "core",
    version: "1.2",
    prettyErrors: true,
    lineCounter: counter,
  });
  const parts: Part[] = [];
  const wrong: Wrong[] = [];
  for (const document of Array.isArray(parsed) ? parsed : []) {
    const complaints = [...document.errors, ...document.warnings];
    wrong.push(...complaints.map(({ message, linePos }) => complain(message, linePos?.[0].line ?? 1)));
    const { contents } = document;
    if (complaints.length > 0 || contents === null || (yaml.isScalar(contents) && contents.value === null)) continue;
    const alias = firstAlias(yaml, contents);
    if (alias !== undefined) {
      wrong.push({ at: `line ${lineOf(alias)}`, found: "an alias", allowed: "the value itself, written out" });
      continue;
    }
    const value: unknown = document.toJS();
    // Accepts a list, because `get --format json` prints several resources as one.
    if (yaml.isSeq(contents) && Array.isArray(value)) {
      parts.push(...contents.items.map((node, index) => ({ node: node as Node, value: value[index] as unknown, lineOf })));
    } else {
      parts.push({ node: contents, value, lineOf });
    }
  }
  return { parts, wrong };
}

/** Uses the first line of the library's message, which says all; the others quote the place. */
function complain(message: string, line: number): Wrong {
  const [first = ""] = message.split("\n");
  const found = quote(first.replace(/ at line \d+, column \d+:?$/, ""), longestComplaint);
  return { at: `line ${line}`, found, allowed: "" };
}

function firstAlias(yaml: Yaml, contents: Node): Node | undefined {
  let found: Node | undefined;
  yaml.visit(contents, {
    Alias: (_key, node) => {
      found = node;
      return yaml.visit.BREAK;
    },
  });
  return found;
}
