import { agentDefaults, defaults, ownPackage, type GivenValues } from "./defaults.ts";
import { allowedFor } from "../shape/allowed.ts";
import { isMapping } from "../shape/reading.ts";
import { schema, settingKeys, type SettingKey } from "./schema.ts";
import { sayableIn, variableOf } from "./environment.ts";

/** One row of the table in docs/settings.md. */
export type ReferenceRow = {
  readonly key: SettingKey;
  /** Undefined if only a file can set it. */
  readonly variable: string | undefined;
  readonly allowed: string;
  readonly default: string;
  readonly meaning: string;
};

export function settingsReference(): readonly ReferenceRow[] {
  const all: GivenValues = { ...defaults, ...agentDefaults(ownPackage) };
  return settingKeys.map((key) => {
    const { of, meaning } = schema[key];
    return {
      key,
      variable: sayableIn(of) === "nothing" ? undefined : variableOf(key),
      allowed: allowedFor(of),
      default: written(all[key]?.raw),
      meaning,
    };
  });
}

/** Prints a value as it stands in a file. */
function written(raw: unknown): string {
  if (raw === undefined) return "none";
  if (Array.isArray(raw)) return `[${raw.join(", ")}]`;
  // Prints `{}`, because every built-in mapping is empty.
  return isMapping(raw) ? "{}" : `${raw as string | number | boolean}`;
}
