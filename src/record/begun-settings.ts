import type { SettingRow } from "../settings/settings.ts";
import { literal, malformed, object, readJson, text, type Reader, type Reading } from "./read.ts";

/** The settings that a move began with, as a fragment would hold them, and the pass that began it. */
export type BegunSettings = { readonly pass: string; readonly values: object };

/** As much as the file that holds them may have. */
export const longestBegunBytes: number = 256 * 1024;

const longestPass = 256;

export function encodeBegunSettings(pass: string, rows: readonly SettingRow[]): string {
  const values: Record<string, unknown> = {};
  for (const { key, value } of rows) {
    if (value !== undefined) put(values, key.split("."), value);
  }
  return `${JSON.stringify({ schema: 1, pass, values })}\n`;
}

/** What the values are is for the settings' own rules to say: they are read like any file of settings. */
export function decodeBegunSettings(found: string): Reading<BegunSettings> {
  return readJson(found, begun);
}

const mapping: Reader<object> = (value, at) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : malformed(at, "an object");

const begun = object<BegunSettings & { readonly schema: 1 }>({ schema: literal(1), pass: text(longestPass), values: mapping });

/** A dot in a key is one level of the file. */
function put(into: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[first] = value;
  else put((into[first] ??= {}) as Record<string, unknown>, rest, value);
}
