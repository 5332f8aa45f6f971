import { collect } from "../settings/collect.ts";
import type { Fragment } from "../settings/settings.ts";

/** The same fragment without what is wrong in it: one misspelt key must not hide all that can be looked at without it. */
export function rightOf({ origin, values }: Fragment): Fragment {
  const right: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(collect({ origin, values }).values)) {
    const [first = "", second] = key.split(".");
    right[first] = second === undefined ? given.raw : { ...asMapping(right[first]), [second]: given.raw };
  }
  return { origin, values: right };
}

function asMapping(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
