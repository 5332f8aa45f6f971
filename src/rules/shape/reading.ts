import { quote } from "../text/quote.ts";

/** A fault in a value. `at` is the place below the key: empty, or `[0].from`. `allowed` is set if the key's own text says too much. */
export type RefusedSetting = { readonly at: string; readonly found: string; readonly allowed?: string };

export type SettingReading<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "refused"; readonly refusals: readonly RefusedSetting[] };

/** A reading whose faults all say what is allowed. */
export type Checked<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };
export type Refusal = Required<RefusedSetting>;

/** Reads a value from YAML, an environment variable or a flag. */
export type Read<Value> = (raw: unknown) => SettingReading<Value>;

export function accepted<Value>(value: Value): { readonly kind: "value"; readonly value: Value } {
  return { kind: "value", value };
}

export function refused(raw: unknown): SettingReading<never> {
  return refusedAs([{ at: "", found: describe(raw) }]);
}

export function refusedAs<One extends RefusedSetting>(
  refusals: readonly One[],
): { readonly kind: "refused"; readonly refusals: readonly One[] } {
  return { kind: "refused", refusals };
}

/** Describes a value for a message: quoted and short. Hides a text that may hold credentials. */
export function describe(raw: unknown): string {
  if (typeof raw === "string") return mayHoldCredentials(raw) ? "a text with credentials (not shown)" : `"${quote(raw)}"`;
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  if (raw === undefined || raw === null) return "nothing";
  return Array.isArray(raw) ? "a list" : "a mapping";
}

/** Two steps, because one pattern for both takes minutes on a text of colons. */
function mayHoldCredentials(text: string): boolean {
  return /[/:]/.test(text.slice(0, Math.max(0, text.lastIndexOf("@"))));
}

export type Mapping = Readonly<Record<string, unknown>>;

export function isMapping(raw: unknown): raw is Mapping {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw);
}
