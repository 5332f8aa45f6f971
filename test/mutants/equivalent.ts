import type { Mutant } from "./mutate.ts";

/** A change that nobody could notice, and why. */
export type Equivalent = Pick<Mutant, "file" | "was" | "becomes"> & { readonly why: string };

/** At most one of twenty in a room. One that no longer stands in its file is refused: the code has moved on. */
export const equivalent: readonly Equivalent[] = [
  {
    file: "src/plan/still.ts",
    was: "until !== undefined && now > until",
    becomes: "now > until",
    why: "nothing is greater than undefined",
  },
  {
    file: "src/plan/recovery.ts",
    was: "from !== undefined && atHand.includes(from)",
    becomes: "atHand.includes(from)",
    why: "undefined is never at hand",
  },
  {
    file: "src/plan/recovery.ts",
    was: 'installed.kind === "present" && installed.packageVersion === version',
    becomes: "installed.packageVersion === version",
    why: "what is absent has no version, and the wanted one is known here",
  },
  {
    file: "src/plan/target.ts",
    was: "order < 0",
    becomes: "order <= 0",
    why: "an order of 0 has been dealt with before",
  },
  {
    file: "src/plan/alternating-gate.ts",
    was: "previous !== undefined && leftUntil !== undefined",
    becomes: "previous !== undefined",
    why: "nothing is less than undefined",
  },
  {
    file: "src/plan/time-gates.ts",
    was: '"never"',
    becomes: '"stay"',
    why: "the case names what never comes that far, for the compiler",
  },
  {
    file: "src/plan/permit.ts",
    was: '"unknown"',
    becomes: '"absent"',
    why: "the gates ask only whether the agent is unhealthy",
  },
  {
    file: "src/plan/permit.ts",
    was: '"plausible"',
    becomes: '"not-asked"',
    why: "the gates ask only whether the clock is wrong",
  },
  {
    file: "src/pass/carry-out.ts",
    was: 'installed.kind === "present" && installed.packageVersion === to',
    becomes: "installed.packageVersion === to",
    why: "what is absent has no version",
  },
  {
    file: "src/pass/change.ts",
    was: 'installed.kind === "present" && installed.isHeld',
    becomes: "installed.isHeld",
    why: "what is absent is not held",
  },
];
