import { parsed, type Shape } from "../../rules/shape/shape.ts";

type Between = { readonly least: number; readonly most: number; readonly example: string };

const unitSeconds: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60 };

/** A whole number with its unit, in seconds. */
export function duration({ least, most, example }: Between): Shape<number> {
  return parsed(
    (text) => {
      const [, digits, unit = ""] = /^([1-9]\d{0,7})([smhd])$/.exec(text) ?? [];
      const seconds = Number(digits) * (unitSeconds[unit] ?? 1);
      return seconds >= least && seconds <= most ? seconds : undefined;
    },
    `a whole number with s, m, h or d, from ${printed(least)} to ${printed(most)}, for example ${example}`,
    printed,
  );
}

function printed(seconds: number): string {
  const [unit, size] = Object.entries(unitSeconds).find(([, each]) => seconds % each === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}
