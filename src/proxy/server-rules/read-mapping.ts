import { quote } from "../../rules/text/quote.ts";
import { nearest } from "../../rules/text/nearest.ts";
import { unknownKey } from "../../rules/settings/read-fields.ts";
import { accepted, type Mapping, type Read, type SettingReading, type RefusedSetting } from "../../rules/settings/reading.ts";

/** What one key of a mapping becomes. */
export type Field<Value> = { readonly read: Read<Value>; readonly allowed: string };

export type FieldTable = Readonly<Record<string, Field<unknown>>>;

/** A value that is not there, or was refused, is undefined. */
export type Values<Fields extends FieldTable> = {
  readonly [Key in keyof Fields]: Fields[Key] extends Field<infer Value> ? Value | undefined : never;
};

export type Level<Fields extends FieldTable> = {
  readonly values: Values<Fields>;
  readonly refusals: readonly RefusedSetting[];
  /** Keys that are somebody else's. */
  readonly passedOver: readonly string[];
};

/** Whose the other keys of a mapping are. */
export type Others =
  /** All keys are ours: every other is a fault. */
  | { readonly kind: "none" }
  /** They are another program's, and some are known by name: only what is nearly one of ours is a fault. */
  | { readonly kind: "others"; readonly known: readonly string[] };

/** Reads one mapping whole: every value that is right, and every fault. */
export function readLevel<Fields extends FieldTable>(mapping: Mapping, fields: Fields, others: Others): Level<Fields> {
  const values: Record<string, unknown> = {};
  const refusals: RefusedSetting[] = [];
  const passedOver: string[] = [];
  for (const [name, raw] of Object.entries(mapping)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field !== undefined) {
      const reading: SettingReading<unknown> = raw === null ? accepted(undefined) : field.read(raw);
      if (reading.kind === "value") values[name] = reading.value;
      else refusals.push(...reading.refusals.map((refusal) => refusedIn(name, refusal, field.allowed)));
      continue;
    }
    const meant = meantBy(name, Object.keys(fields), others);
    if (meant === "somebody else's") passedOver.push(name);
    else refusals.push({ at: `.${quote(name)}`, found: unknownKey(meant), allowed: Object.keys(fields).join(", ") });
  }
  return { values: values as Values<Fields>, refusals, passedOver };
}

function refusedIn(name: string, { at, found, allowed }: RefusedSetting, otherwise: string): RefusedSetting {
  return { at: `.${name}${at}`, found, allowed: allowed ?? otherwise };
}

function meantBy(name: string, ours: readonly string[], others: Others): string | undefined {
  if (others.kind === "none") return nearest(name, ours);
  const meant = others.known.includes(name) ? undefined : nearest(name, [...ours, ...others.known]);
  return meant !== undefined && ours.includes(meant) ? meant : "somebody else's";
}
