import { quote } from "../text/quote.ts";
import type { GivenValues } from "./defaults.ts";
import { nearest } from "../text/nearest.ts";
import { check, unknownKey } from "../shape/check.ts";
import { describe, isMapping, type Mapping } from "../shape/reading.ts";
import { isSettingKey, schema, settingKeys, type SettingKey, type SettingValues } from "./schema.ts";
import type { Fragment, Origin, SettingFault } from "./settings.ts";

export type CollectedValues = { readonly values: GivenValues; readonly faults: readonly SettingFault[] };

/** Reads a whole fragment: every valid value and every fault. An empty fragment sets nothing. */
export function collect(fragment: Fragment): CollectedValues {
  const { origin, values } = fragment;
  if (values === undefined || values === null) return { values: {}, faults: [] };
  if (isMapping(values)) return collectLevel(values, "", origin);
  return {
    values: {},
    faults: [{ origin, key: "", found: describe(values), allowed: `a mapping of ${namesAt("").join(", ")}` }],
  };
}

function collectLevel(mapping: Mapping, above: string, origin: Origin): CollectedValues {
  let collected: CollectedValues = { values: {}, faults: [] };
  for (const [name, raw] of Object.entries(mapping)) {
    const more = collectKey({ above, name, raw, origin });
    collected = { values: { ...collected.values, ...more.values }, faults: [...collected.faults, ...more.faults] };
  }
  return collected;
}

type Named = { readonly above: string; readonly name: string; readonly raw: unknown; readonly origin: Origin };

function collectKey({ above, name, raw, origin }: Named): CollectedValues {
  const key = `${above}${name}`;
  // Faults write `agent.package` for a key that has two levels in the file.
  const below = namesAt(`${key}.`);
  // `window` is a level if it is a mapping, and a value if it is a list.
  const isLevel = below.length > 0 && isMapping(raw);
  if (!name.includes(".") && isSettingKey(key) && !isLevel) return collectValue(key, raw, origin);
  if (below.length === 0) return faulty({ origin, key: quote(key), ...unknownAt(above, name) });
  if (isMapping(raw)) return collectLevel(raw, `${key}.`, origin);
  return faulty({ origin, key, found: describe(raw), allowed: `a mapping of ${below.join(", ")}` });
}

function collectValue(key: SettingKey, raw: unknown, origin: Origin): CollectedValues {
  const reading = check<SettingValues[typeof key]>(schema[key].of, raw);
  if (reading.kind === "value") return { values: { [key]: { value: reading.value, raw, origin } }, faults: [] };
  const faults = reading.refusals.map((refusal) => ({
    origin,
    key: quote(`${key}${refusal.at}`),
    found: refusal.found,
    allowed: refusal.allowed,
  }));
  return { values: {}, faults };
}

/** Finds a misspelled name, the right name on the wrong level (`settle` stands for health.settle), or a whole key written as one name. */
function unknownAt(above: string, name: string): Pick<SettingFault, "found" | "allowed"> {
  const names = namesAt(above);
  const elsewhere = settingKeys.find((key) => key.endsWith(`.${name}`));
  const levels = settingKeys.some((key) => key === name) ? name.replace(/\.(.*)$/, ": {$1: …}") : undefined;
  return { found: unknownKey(levels ?? nearest(name, names) ?? elsewhere), allowed: names.join(", ") };
}

/** The names allowed on one level, in the order of the table. */
function namesAt(above: string): readonly string[] {
  const below = settingKeys.filter((key) => key.startsWith(above)).map((key) => key.slice(above.length).replace(/\..*$/, ""));
  return [...new Set(below)];
}

function faulty(fault: SettingFault): CollectedValues {
  return { values: {}, faults: [fault] };
}
