import { parseInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";
import { nearest } from "./nearest.ts";
import {
  accepted,
  describe,
  isMapping,
  readEach,
  refused,
  refusedAs,
  type Mapping,
  type Read,
  type SettingReading,
  type RefusedSetting,
} from "./reading.ts";
import { readLine } from "./read-text.ts";
import type { Blackout, Hold } from "../decide/policy.ts";

/** Empty: held until it is removed. */
export function readHold(raw: unknown): SettingReading<Hold> {
  if (!isMapping(raw)) return refused(raw);
  const until = readField(raw, "until", optional(instant));
  const reason = readField(raw, "reason", optional(line));
  const refusals = [...unknownFields(raw, ["until", "reason"]), ...refusalsOf(until), ...refusalsOf(reason)];
  if (until.kind === "refused" || reason.kind === "refused" || refusals.length > 0) return refusedAs(refusals);
  return accepted({ until: until.value, reason: reason.value });
}

export function readBlackouts(raw: unknown): SettingReading<readonly Blackout[]> {
  return Array.isArray(raw) ? readEach(raw, readBlackout) : refused(raw);
}

function readBlackout(raw: unknown): SettingReading<Blackout> {
  if (!isMapping(raw)) return refused(raw);
  const from = readField(raw, "from", instant);
  const to = readField(raw, "to", instant);
  const reason = readField(raw, "reason", optional(line));
  const refusals = [...unknownFields(raw, ["from", "to", "reason"]), ...[from, to, reason].flatMap(refusalsOf)];
  if (from.kind === "refused" || to.kind === "refused" || reason.kind === "refused" || refusals.length > 0)
    return refusedAs(refusals);
  if (to.value > from.value) return accepted({ from: from.value, to: to.value, reason: reason.value });
  return refusedAs([{ at: ".to", found: describe(raw["to"]), allowed: `an instant after from, ${describe(raw["from"])}` }]);
}

type Field<Value> = { readonly read: Read<Value>; readonly allowed: string };

const instant: Field<UnixSeconds> = {
  read: (raw) => {
    const parsed = typeof raw === "string" ? parseInstant(raw) : undefined;
    return parsed === undefined ? refused(raw) : accepted(parsed);
  },
  allowed: "a date or a time with its offset, for example 2026-12-24 or 2026-12-24T18:00:00Z",
};

const line: Field<string> = { read: readLine, allowed: "one line of text" };

function optional<Value>(field: Field<Value>): Field<Value | undefined> {
  return { ...field, read: (raw) => (raw === undefined ? accepted(undefined) : field.read(raw)) };
}

function readField<Value>(mapping: Mapping, name: string, field: Field<Value>): SettingReading<Value> {
  const reading = field.read(mapping[name]);
  if (reading.kind === "value") return reading;
  return refusedAs(reading.refusals.map(({ found }) => ({ at: `.${name}`, found, allowed: field.allowed })));
}

function unknownFields(mapping: Mapping, known: readonly string[]): readonly RefusedSetting[] {
  const unknown = Object.keys(mapping).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ at: `.${name}`, found: unknownKey(nearest(name, known)), allowed: known.join(", ") }));
}

/** What a fault calls a key that is none. */
export function unknownKey(meant: string | undefined): string {
  return meant === undefined ? "unknown key" : `unknown key, did you mean ${meant}?`;
}

function refusalsOf(reading: SettingReading<unknown>): readonly RefusedSetting[] {
  return reading.kind === "refused" ? reading.refusals : [];
}
