import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Called } from "../../../packaging/product.ts";
import { updater } from "../../../packaging/products/updater.ts";
import { schemaOf } from "../../../packaging/schemas/schemas.ts";

type Shape = { readonly [keyword: string]: unknown };

/** What a schema has to say against an answer, when a key that it does not document is a fault; nothing: it agrees. */
export function complaints(name: string, answer: unknown, called: Called = updater): readonly string[] {
  const schema = schemaOf(called, name);
  const validate = validators.get(String(schema["$id"])) ?? compiled(schema);
  return validate(answer) ? [] : (validate.errors ?? []).map(told);
}

const validators = new Map<string, ValidateFunction>();

function compiled(schema: Shape): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  // The pattern beside it says more than the format.
  ajv.addFormat("date-time", true);
  const validate = ajv.compile(closed(schema) as Shape);
  validators.set(String(schema["$id"]), validate);
  return validate;
}

/** Consumers must let unknown keys pass; whoever writes the answers must not. */
function closed(shape: unknown): unknown {
  if (Array.isArray(shape)) return shape.map(closed);
  if (typeof shape !== "object" || shape === null) return shape;
  const inner = Object.fromEntries(Object.entries(shape).map(([keyword, value]) => [keyword, closed(value)]));
  // Below `properties` stand names, which are no keywords.
  return inner["type"] === "object" && "properties" in inner ? { ...inner, additionalProperties: false } : inner;
}

function told({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

/** Every key that a schema documents, as `decision.until` or `done[].what`. */
export function documentedKeys(shape: unknown, at: string = ""): ReadonlySet<string> {
  if (typeof shape !== "object" || shape === null) return new Set();
  const { properties = {}, items, oneOf = [] } = shape as { properties?: Shape; items?: unknown; oneOf?: readonly unknown[] };
  const keys = Object.entries(properties).flatMap(([key, value]) => [below(at, key), ...documentedKeys(value, below(at, key))]);
  return new Set([...keys, ...documentedKeys(items, `${at}[]`), ...oneOf.flatMap((one) => [...documentedKeys(one, at)])]);
}

/** Every key of an answer, written in the same way. */
export function keysOf(value: unknown, at: string = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, `${at}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [below(at, key), ...keysOf(inner, below(at, key))]);
}

function below(at: string, key: string): string {
  return at === "" ? key : `${at}.${key}`;
}

/** The words that a schema allows at a key. */
export function wordsAt(shape: unknown, key: string): readonly string[] {
  const [first = "", ...rest] = key.split(/\.|(?=\[\])/);
  const { properties = {}, items, oneOf = [] } = shape as { properties?: Shape; items?: unknown; oneOf?: readonly unknown[] };
  if (key === "") return oneOf.flatMap((one) => (one as { const?: string }).const ?? []);
  const inner = first === "[]" ? items : properties[first];
  const here = inner === undefined ? [] : wordsAt(inner, rest.join("."));
  return [...here, ...oneOf.flatMap((one) => wordsAt(one, key))];
}
