import { nearest } from "../text/nearest.ts";
import { quote } from "../text/quote.ts";
import { allowedFor } from "./allowed.ts";
import { describe, isMapping, refusedAs, type Checked, type Mapping, type SettingReading, type Refusal } from "./reading.ts";
import type { Form, Keys, Of, Others, Shape } from "./shape.ts";
import { carrying } from "./unknown-keys.ts";

/** How many faults are told in full; further ones are only counted. A file of a million bytes may have a hundred thousand. */
export const mostTold = 50;

/** What a key without a value means, such as `reason:`. */
export type Empty = "absent" | "wrong";

/** Reads a person's file: the value, or every fault in it. An unknown key is a fault. */
export function check<T>(shape: Shape<T>, raw: unknown, empty: Empty = "wrong"): Checked<T> {
  const faults: Refusal[] = [];
  const value = take(shape, raw, { at: "", faults, empty });
  return faults.length > 0 ? { kind: "refused", refusals: faults } : { kind: "value", value: value as T };
}

/** Where the value is, and the faults so far. */
type Place = { readonly at: string; readonly faults: Refusal[]; readonly empty: Empty };

function below({ at, ...place }: Place, step: string): Place {
  return { at: `${at}${step}`, ...place };
}

/** Adds a wrong value to the faults and returns undefined. */
function take(shape: Shape<unknown>, raw: unknown, place: Place): unknown {
  const { form } = shape;
  switch (form.kind) {
    case "maybe":
    case "optional":
      return raw === undefined ? undefined : take(form.of, raw, place);
    case "else":
      return raw === undefined ? form.missing : take(form.of, raw, place);
    case "record":
      return takeRecord(shape, form, { raw, place });
    case "named":
      return takeNamed(shape, form, { raw, place });
    case "list":
      return takeList(shape, form, { raw, place });
    case "own":
      return outcome(form.read(raw), shape, place);
    case "refined": {
      const before = place.faults.length;
      const value = take(within(form.of, shape), raw, place);
      return place.faults.length > before ? undefined : outcome(form.refine(value, raw), shape, place);
    }
    case "coded": {
      const before = place.faults.length;
      const found = take(within(form.of, shape), raw, place);
      if (place.faults.length > before) return undefined;
      return form.codec.read(found) ?? refuse(shape, describe(raw), place);
    }
    case "words":
      if (typeof raw === "string" && Object.hasOwn(form.words, raw)) return raw;
      return refuse(shape, slip(raw, Object.keys(form.words), place.faults), place);
    default:
      return takePlain(form, raw) ?? refuse(shape, describe(raw), place);
  }
}

/** Passes the wording of what is allowed on to the inner shape. */
function within(of: Shape<unknown>, { allowed }: Shape<unknown>): Shape<unknown> {
  return allowed === undefined ? of : { ...of, allowed };
}

function takePlain(form: Form, raw: unknown): unknown {
  switch (form.kind) {
    case "text":
      return typeof raw === "string" && raw.length <= form.longest ? raw : undefined;
    case "parsed":
      return typeof raw === "string" ? form.parse(raw) : undefined;
    case "whole":
      return typeof raw === "number" && Number.isSafeInteger(raw) && raw >= form.least && raw <= form.most ? raw : undefined;
    case "truth":
      return typeof raw === "boolean" ? raw : undefined;
    case "exactly":
      return raw === form.value ? raw : undefined;
    default:
      throw new Error(`nobody writes a ${form.kind} into a file`);
  }
}

function outcome(reading: SettingReading<unknown>, shape: Shape<unknown>, { at, faults }: Place): unknown {
  if (reading.kind === "value") return reading.value;
  for (const fault of reading.refusals) {
    faults.push({ at: `${at}${fault.at}`, found: fault.found, allowed: fault.allowed ?? allowedFor(shape) });
  }
  return undefined;
}

function refuse(shape: Shape<unknown>, found: string, { at, faults }: Place): undefined {
  faults.push({ at, found, allowed: allowedFor(shape) });
}

type Given = { readonly raw: unknown; readonly place: Place };

function takeRecord(shape: Shape<unknown>, { keys, rules }: Extract<Form, { kind: "record" }>, { raw, place }: Given): unknown {
  if (!isMapping(raw)) return refuse(shape, describe(raw), place);
  const { others = { kind: "none" } } = rules;
  const { values, strangers, slips } = takeKeys(raw, keys, { others, place });
  for (const [name, of] of Object.entries(keys)) {
    // Reports a misspelt key once, where it stands, and not as missing too.
    if (isThere(raw[name], place) || slips.includes(name)) continue;
    const value = take(of, undefined, below(place, `.${name}`));
    if (others.kind === "kept") tellMeant(name, strangers, place.faults);
    if (of.form.kind !== "optional") values[name] = value;
  }
  if (strangers.length === 0 || others.kind !== "kept") return values;
  return carrying(values, { later: {}, strangers: Object.fromEntries(strangers.map((name) => [name, raw[name]])) }, Infinity);
}

/** Names the kept key that a missing one may be misspelt as. */
function tellMeant(name: string, strangers: readonly string[], faults: Refusal[]): void {
  const last = faults.at(-1);
  const meant = last?.at.endsWith(`.${name}`) === true ? nearest(name, strangers.slice(0, mostTold)) : undefined;
  if (last !== undefined && meant !== undefined)
    faults.splice(-1, 1, { ...last, found: `${last.found}, but there is ${quote(meant)}` });
}

function isThere(value: unknown, { empty }: Place): boolean {
  return value !== undefined && (value !== null || empty === "wrong");
}

/** The values of a level. A missing or refused one is undefined. */
export type Values<K extends Keys> = { readonly [P in keyof K]: Of<K[P]> | undefined };

export type Level<K extends Keys> = {
  readonly values: Values<K>;
  readonly refusals: readonly Refusal[];
  /** Keys that belong to another program. */
  readonly passedOver: readonly string[];
};

/** Reads the keys of a mapping in order: each valid value, and every fault. Missing keys are the caller's concern. */
export function readLevel<K extends Keys>(mapping: Mapping, keys: K, others: Others): Level<K> {
  const faults: Refusal[] = [];
  const { values, strangers } = takeKeys(mapping, keys, { others, place: { at: "", faults, empty: "absent" } });
  return { values: values as Values<K>, refusals: faults, passedOver: strangers };
}

type Taken = {
  readonly values: Record<string, unknown>;
  /** Undescribed names that are no fault. */
  readonly strangers: readonly string[];
  /** The keys that misspelt names stand for. */
  readonly slips: readonly string[];
};

function takeKeys(raw: Mapping, keys: Keys, { others, place }: { readonly others: Others; readonly place: Place }): Taken {
  const { at, faults } = place;
  const values: Record<string, unknown> = {};
  const strangers: string[] = [];
  const slips: string[] = [];
  const names = Object.keys(keys);
  for (const [name, value] of Object.entries(raw)) {
    const of = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (of !== undefined) {
      // A key without a value counts as missing.
      if (!isThere(value, place)) continue;
      const before = faults.length;
      const taken = take(of, value, below(place, `.${name}`));
      if (faults.length === before) values[name] = taken;
      continue;
    }
    const meant = faults.length < mostTold ? meantBy(name, names, others) : undefined;
    if (others.kind === "kept" || (others.kind === "others" && meant === undefined)) strangers.push(name);
    else faults.push({ at: `${at}.${quote(name)}`, found: unknownKey(meant), allowed: names.join(", ") });
    if (meant !== undefined) slips.push(meant);
  }
  return { values, strangers, slips };
}

function meantBy(name: string, ours: readonly string[], others: Others): string | undefined {
  if (others.kind === "kept") return undefined;
  if (others.kind === "none") return nearest(name, ours);
  const meant = others.known.includes(name) ? undefined : nearest(name, [...ours, ...others.known]);
  return meant !== undefined && ours.includes(meant) ? meant : undefined;
}

/** A fault's text for an unknown key. */
export function unknownKey(meant: string | undefined): string {
  return meant === undefined ? "unknown key" : `unknown key, did you mean ${meant}?`;
}

function slip(raw: unknown, known: readonly string[], faults: readonly Refusal[]): string {
  const meant = typeof raw === "string" && faults.length < mostTold ? nearest(raw, known) : undefined;
  return meant === undefined ? describe(raw) : `${describe(raw)}, did you mean ${meant}?`;
}

function takeNamed(shape: Shape<unknown>, form: Extract<Form, { kind: "named" }>, { raw, place }: Given): unknown {
  const { of, isName, name: allowed, most } = form;
  const { at, faults } = place;
  if (!isMapping(raw)) return refuse(shape, describe(raw), place);
  const entries = Object.entries(raw);
  if (entries.length > most) return void faults.push({ at, found: `a mapping of ${entries.length}`, allowed: `at most ${most}` });
  const values = Object.create(null) as Record<string, unknown>;
  for (const [name, item] of entries) {
    if (!isName(name)) faults.push({ at, found: `the name ${describe(name)}`, allowed });
    values[name] = take(of, item, below(place, `.${quote(name)}`));
  }
  return values;
}

function takeList(shape: Shape<unknown>, form: Extract<Form, { kind: "list" }>, { raw, place }: Given): unknown {
  const { of, least, most } = form;
  const { at, faults } = place;
  if (!Array.isArray(raw)) return refuse(shape, describe(raw), place);
  if (raw.length > most || raw.length < least) {
    const bounds = least === 0 ? `at most ${most}` : `from ${least} to ${most}`;
    return void faults.push({ at, found: raw.length === 0 ? "an empty list" : `a list of ${raw.length}`, allowed: bounds });
  }
  return raw.map((item, index) => take(of, item, below(place, `[${index}]`)));
}

/** Refuses one place in a mapping. */
export function refusedAt(at: string, raw: unknown, allowed: string): SettingReading<never> {
  return refusedAs([{ at, found: describe(raw), allowed }]);
}
