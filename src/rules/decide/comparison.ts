import type { Served } from "../channel/answer.ts";
import { compareVersions, type Version } from "../version/version.ts";
import { printInstant } from "../window/instant.ts";
import type { UnixSeconds } from "../window/window.ts";

export type Comparison = { readonly isAvailable: boolean; readonly line: string };

/** The one line of a dry run. `isAvailable`: the served version is newer than the installed one. */
export function compare(installed: Version | undefined, served: Served): Comparison {
  const have = installed ?? "not installed";
  if (served.kind === "none") return { isAvailable: false, line: `no upgrades available (${have}, channel serves none)` };
  if (installed === undefined) return { isAvailable: true, line: `an upgrade is available (${have} -> ${served.version})` };
  const order = compareVersions(installed, served.version);
  if (order < 0) return { isAvailable: true, line: `an upgrade is available (${have} -> ${served.version})` };
  return { isAvailable: false, line: `no upgrades available (${have} ${order === 0 ? "==" : ">"} ${served.version})` };
}

type SaidToStay = {
  readonly why: string;
  readonly told: string;
  readonly until?: UnixSeconds | undefined;
  readonly lift?: string | undefined;
};

/** Whether there is nothing to move. Then no gate has asked for the schedule. */
export function isDone({ why }: Pick<SaidToStay, "why">): boolean {
  return why === "current" || why === "no-version";
}

/** Why nothing moves, in one line with both versions. */
export function stayLine({ line }: Comparison, { why, told }: SaidToStay, at?: UnixSeconds): string {
  if (isDone({ why })) return line;
  if (why === "pinned") return `${line}; ${told}`;
  return why === "downgrade-refused"
    ? `${line}: ${told}`
    : `${line}, not ${at === undefined ? "now" : `at ${printInstant(at)}`}: ${told}`;
}

/** Tells what ends the stay, unless time alone ends it. */
export function tellLift(stay: SaidToStay): string {
  const { until, lift } = stay;
  return isDone(stay) || until !== undefined || lift === undefined ? "" : `; lifted by: ${lift}`;
}
