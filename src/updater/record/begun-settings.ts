import type { SettingRow } from "../../rules/settings/settings.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { object, record, text, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";

/** The settings with which a move began, as a fragment, and the pass that began it. The settings' own rules check the values. */
const begun = record({ pass: text(256), values: object }, { schema: 1 });
export type BegunSettings = Of<typeof begun>;

/** The most that the file may hold. */
export const longestBegunBytes: number = 256 * 1024;

export function encodeBegunSettings(pass: string, rows: readonly SettingRow[]): string {
  const values: Record<string, unknown> = {};
  for (const { key, value, origin } of rows) {
    // Leaves out built-in values: the reader has them too, and an earlier release refuses keys that it does not know.
    if (value !== undefined && origin.kind !== "built-in") put(values, key.split("."), value);
  }
  return `${JSON.stringify(encode(begun, { pass, values }))}\n`;
}

export function decodeBegunSettings(found: string): Reading<BegunSettings> {
  return decode(found, begun, "ignored");
}

/** A dot in a key opens a level of the file. */
function put(into: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[first] = value;
  else put((into[first] ??= {}) as Record<string, unknown>, rest, value);
}
