import { nearest } from "../text/nearest.ts";
import {
  accepted,
  describe,
  isMapping,
  refused,
  refusedAs,
  type Mapping,
  type Read,
  type RefusedSetting,
  type SettingReading,
} from "./reading.ts";

/** One key of a mapping that is a value as a whole. */
export type Field<Value> = { readonly read: Read<Value>; readonly allowed: string };

export function optional<Value>(field: Field<Value>): Field<Value | undefined> {
  return { ...field, read: (raw) => (raw === undefined ? accepted(undefined) : field.read(raw)) };
}

/** The values of all its fields, or every fault in it, keys that it does not know among them. */
export function readFields<Values extends object>(
  raw: unknown,
  fields: { readonly [Key in keyof Values & string]: Field<Values[Key]> },
): SettingReading<Values> {
  if (!isMapping(raw)) return refused(raw);
  const known = Object.keys(fields) as (keyof Values & string)[];
  const values: Partial<Values> = {};
  const refusals: RefusedSetting[] = [...unknownFields(raw, known)];
  for (const name of known) {
    const { read, allowed } = fields[name];
    const reading = read(raw[name]);
    if (reading.kind === "value") values[name] = reading.value;
    else refusals.push(...reading.refusals.map((refusal) => ({ allowed, ...refusal, at: `.${name}${refusal.at}` })));
  }
  return refusals.length > 0 ? refusedAs(refusals) : accepted(values as Values);
}

function unknownFields(mapping: Mapping, known: readonly string[]): readonly RefusedSetting[] {
  const unknown = Object.keys(mapping).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ at: `.${name}`, found: unknownKey(nearest(name, known)), allowed: known.join(", ") }));
}

/** What a fault calls a key that is none. */
export function unknownKey(meant: string | undefined): string {
  return meant === undefined ? "unknown key" : `unknown key, did you mean ${meant}?`;
}

/** One fault at one place in a mapping. */
export function refusedAt(at: string, raw: unknown, allowed: string): SettingReading<never> {
  return refusedAs([{ at, found: describe(raw), allowed }]);
}
