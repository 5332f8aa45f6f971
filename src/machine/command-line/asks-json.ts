import { spoken } from "./flag-value.ts";
import { hasOtherShortF, type Program } from "./row.ts";

/** Whether JSON was asked for, even if the command line is invalid. */
export function asksForJson(argv: readonly string[], { rows }: Pick<Program<never>, "rows"> = { rows: [] }): boolean {
  if (argv.includes("--json") || spoken(argv, "--format") === "json") return true;
  const isOther = rows.some((row) => hasOtherShortF(row) && row.words.every((word) => argv.includes(word)));
  return !isOther && (spoken(argv, "-f") === "json" || argv.includes("-fjson"));
}
