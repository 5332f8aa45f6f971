import type { Field } from "../../proxy/server-rules/read-mapping.ts";
import { accepted, refused } from "../../rules/settings/reading.ts";

type Between = { readonly least: number; readonly most: number; readonly example: string };

const unitSeconds: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60 };

/** A whole number with its unit, in seconds. */
export function duration({ least, most, example }: Between): Field<number> {
  return {
    read: (raw) => {
      const [, digits, unit = ""] = (typeof raw === "string" ? /^([1-9]\d{0,7})([smhd])$/.exec(raw) : null) ?? [];
      const seconds = Number(digits) * (unitSeconds[unit] ?? 1);
      return seconds >= least && seconds <= most ? accepted(seconds) : refused(raw);
    },
    allowed: `a whole number with s, m, h or d, from ${printed(least)} to ${printed(most)}, for example ${example}`,
  };
}

function printed(seconds: number): string {
  const [unit, size] = Object.entries(unitSeconds).find(([, each]) => seconds % each === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}
