import { quote } from "../fault/quote.ts";

/** What is wrong with a value. `at` leads to it below the key: empty, or `[0].from`; `allowed` where the key's own text is too wide. */
export type Refusal = { readonly at: string; readonly found: string; readonly allowed?: string };

export type Reading<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

/** Takes what YAML, an environment variable or a flag gave. */
export type Read<Value> = (raw: unknown) => Reading<Value>;

export function accepted<Value>(value: Value): Reading<Value> {
  return { kind: "value", value };
}

export function refused(raw: unknown): Reading<never> {
  return refusedAs([{ at: "", found: describe(raw) }]);
}

export function refusedAs(refusals: readonly Refusal[]): Reading<never> {
  return { kind: "refused", refusals };
}

/** Reads every item of a list and tells every wrong one. */
export function readEach<Value>(items: readonly unknown[], read: Read<Value>): Reading<readonly Value[]> {
  const values: Value[] = [];
  const refusals: Refusal[] = [];
  for (const [index, item] of items.entries()) {
    const reading = read(item);
    if (reading.kind === "value") values.push(reading.value);
    else refusals.push(...reading.refusals.map((refusal) => ({ ...refusal, at: `[${index}]${refusal.at}` })));
  }
  return refusals.length > 0 ? refusedAs(refusals) : accepted(values);
}

/** A value for a message: quoted and short; a text that may hold credentials is not shown. */
export function describe(raw: unknown): string {
  if (typeof raw === "string") return mayHoldCredentials(raw) ? "a text with credentials (not shown)" : `"${quote(raw)}"`;
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  if (raw === undefined || raw === null) return "nothing";
  return Array.isArray(raw) ? "a list" : "a mapping";
}

/** Asked in two steps: one pattern for both takes minutes for a text of colons alone. */
function mayHoldCredentials(text: string): boolean {
  return /[/:]/.test(text.slice(0, Math.max(0, text.lastIndexOf("@"))));
}

export type Mapping = Readonly<Record<string, unknown>>;

export function isMapping(raw: unknown): raw is Mapping {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw);
}
