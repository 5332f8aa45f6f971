import { describe } from "./reading.ts";
import type { SettingFault, SettingRow } from "./settings.ts";

/** Settings that promise what this release does not do: whoever relies on one must hear it, and not find out on a bad day. */
const promises: Readonly<Record<string, { readonly isKept: (value: unknown) => boolean; readonly allowed: string }>> = {
  keep_previous: {
    isKept: (value) => value !== "require",
    allowed: "prefer or never: this release keeps no previous package",
  },
  "health.command": {
    isKept: (value) => value === undefined || (Array.isArray(value) && value.length === 0),
    allowed: "[]: this release does not run a health check of your own",
  },
};

export function notYet(rows: readonly SettingRow[]): readonly SettingFault[] {
  return rows.flatMap(({ key, value, origin }) => {
    const promise = promises[key];
    if (promise === undefined || promise.isKept(value)) return [];
    return [{ origin, key, found: describe(value), allowed: promise.allowed }];
  });
}
