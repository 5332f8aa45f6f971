import { parseSync } from "rolldown/utils";

/** One small change of a file, which a test should notice. */
export type Mutant = {
  readonly file: string;
  readonly line: number;
  /** That line, without what it is indented by. */
  readonly within: string;
  readonly start: number;
  readonly end: number;
  readonly was: string;
  readonly becomes: string;
  /** A statement is left out; an expression is another one. */
  readonly kind: "expression" | "statement";
};

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown };
type Found = { readonly node: Node; readonly becomes: string; readonly kind: Mutant["kind"] };

/** All the changes that are made of a file: of what it does, never of its words for people, which have spaces in them. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const found: Found[] = [];
  const choices = new Set<string>();
  const root = program as unknown as Node;
  walk(root, [], (node, parents) => void (isChoice(node, parents) && choices.add(node["value"] as string)));
  walk(root, [], (node, parents) => found.push(...changesOf({ node, parents, source, choices: [...choices] })));
  const lines = source.split("\n");
  const lineOf = ({ start }: Node): number => source.slice(0, start).split("\n").length;
  return found.map(({ node, becomes, kind }) => ({
    file,
    line: lineOf(node),
    within: lines[lineOf(node) - 1]?.trim() ?? "",
    start: node.start,
    end: node.end,
    was: source.slice(node.start, node.end),
    becomes,
    kind,
  }));
}

/** Types are no part of what runs. */
const typed: Readonly<Record<string, "expression">> = {
  TSAsExpression: "expression",
  TSNonNullExpression: "expression",
  TSSatisfiesExpression: "expression",
};

function walk(node: Node, parents: readonly Node[], visit: (node: Node, parents: readonly Node[]) => void): void {
  if (/^(?:Import|ExportAll)Declaration$/.test(node.type)) return;
  if (node.type.startsWith("TS") && typed[node.type] === undefined) return;
  visit(node, parents);
  for (const child of Object.values(node)) {
    for (const one of Array.isArray(child) ? child : [child]) {
      if (typeof one === "object" && one !== null && "type" in one) walk(one as Node, [node, ...parents], visit);
    }
  }
}

type Place = {
  readonly node: Node;
  readonly parents: readonly Node[];
  readonly source: string;
  /** The words that the file chooses among. */
  readonly choices: readonly string[];
};

function changesOf(place: Place): readonly Found[] {
  const { node } = place;
  const as = (kind: Mutant["kind"], ...texts: readonly string[]): Found[] => texts.map((becomes) => ({ node, becomes, kind }));
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return conditionChanges(node["test"] as Node, node.type, place.source);
    case "LogicalExpression":
      return as("expression", ...sides(place));
    case "BinaryExpression":
      return as("expression", ...otherOperators(place));
    case "UnaryExpression":
      return node["operator"] === "!" ? as("expression", textOf(node["argument"], place.source)) : [];
    case "Literal":
      return as("expression", ...otherValues(place));
    case "ReturnStatement":
    case "ArrowFunctionExpression":
      return withoutResult(node);
    case "ExpressionStatement":
    case "ThrowStatement":
      return as("statement", "");
    case "CallExpression":
      return as("expression", ...otherCalls(place));
    default:
      return [];
  }
}

/** A guard that never holds; a condition that holds whenever it should not, where no operator in it says that already. */
function conditionChanges(node: Node, of: string, source: string): readonly Found[] {
  const never: Found[] = of === "IfStatement" ? [{ node, becomes: "false", kind: "expression" }] : [];
  const isSaid =
    /^(?:Binary|Logical)Expression$/.test(node.type) || (node.type === "UnaryExpression" && node["operator"] === "!");
  return isSaid ? never : [...never, { node, becomes: `!(${textOf(node, source)})`, kind: "expression" }];
}

function sides({ node, source }: Place): readonly string[] {
  return [textOf(node["left"], source), textOf(node["right"], source)];
}

const others: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
};

function otherOperators({ node, source }: Place): readonly string[] {
  const [left, right] = [node["left"] as Node, node["right"] as Node];
  const joinsText = [left, right].some(({ type, value }) => type === "TemplateLiteral" || typeof value === "string");
  const operator = node["operator"] as string;
  if (operator === "+" && joinsText) return [];
  return (others[operator] ?? []).map((other) => `${textOf(left, source)} ${other} ${textOf(right, source)}`);
}

function otherValues({ node, parents, choices }: Place): readonly string[] {
  const { value } = node;
  if (typeof value === "boolean") return [String(!value)];
  if (typeof value === "number") return value > 0 ? [String(value + 1), String(value - 1)] : [String(value + 1)];
  if (!isChoice(node, parents)) return [];
  const at = choices.indexOf(value as string);
  return [JSON.stringify(choices[(at + 1) % choices.length] === value ? "other" : choices[(at + 1) % choices.length])];
}

/** A word that a program reads: a name of a kind, a flag. Not a key, and not what is told in a sentence. */
function isChoice({ type, value }: Node, [parent]: readonly Node[]): boolean {
  if (type !== "Literal" || typeof value !== "string" || !/^[\w=./:@-]+$/.test(value) || parent === undefined) return false;
  if (parent.type === "ExpressionStatement") return false;
  const isKey =
    (parent.type === "Property" || parent.type === "PropertyDefinition") && (parent["key"] as Node)["value"] === value;
  return !(isKey && (parent["value"] as Node)["value"] !== value);
}

function withoutResult(node: Node): readonly Found[] {
  const result = (node.type === "ReturnStatement" ? node["argument"] : node["body"]) as Node | null;
  const isNone = result === null || result.type === "BlockStatement";
  if (isNone || (result.type === "Identifier" && result["name"] === "undefined")) return [];
  // Whoever asks for a condition takes either for a no.
  if (result.type === "Literal" && result["value"] === false) return [];
  if (result.type === "UnaryExpression" && result["operator"] === "void") return [];
  return [{ node: result, becomes: "undefined", kind: "expression" }];
}

const otherMethods: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["find", "findLast"],
  ["findLast", "find"],
]);
const leftOut: readonly string[] = ["filter", "toSorted", "slice", "trim"];

function otherCalls({ node, parents: [parent], source }: Place): readonly string[] {
  const callee = node["callee"] as Node;
  // Within a chain of `?.` a part cannot stand for itself.
  if (callee.type !== "MemberExpression" || parent?.type === "ChainExpression" || callee["optional"] === true) return [];
  if (parent?.type === "MemberExpression" && parent["object"] === node && hasOptional(node)) return [];
  const [object, property] = [callee["object"] as Node, callee["property"] as Node];
  const name = textOf(property, source);
  if (leftOut.includes(name)) return [textOf(object, source)];
  const other = otherMethods.get(name);
  return other === undefined ? [] : [`${textOf(object, source)}.${other}${source.slice(property.end, node.end)}`];
}

function hasOptional(node: Node): boolean {
  if (node["optional"] === true) return true;
  const next = (node["callee"] ?? node["object"]) as Node | undefined;
  return next !== undefined && hasOptional(next);
}

function textOf(node: unknown, source: string): string {
  const { start, end } = node as Node;
  return source.slice(start, end);
}
