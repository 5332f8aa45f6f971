import type { FaultData } from "../fault/fault.ts";
import { compareVersions, type Version } from "../version/version.ts";
import type { Refusal } from "./decision.ts";
import type { AnswerHeard } from "./facts.ts";
import type { Exchange } from "./gate.ts";

/** Only a rollback can do without an answer. */
const notAsked: FaultData = {
  code: "ask-failed",
  message: "the channel was not asked what it serves",
  hint: "nothing to do: the next pass asks",
  causes: [],
};

export type ServedVersion =
  | { readonly kind: "unanswered"; readonly fault: FaultData }
  | { readonly kind: "no-version" }
  | { readonly kind: "version"; readonly version: Version };

/** Gates 2 and 3. */
export function servedIn(answer: AnswerHeard): ServedVersion {
  if (answer.kind === "not-asked") return { kind: "unanswered", fault: notAsked };
  if (answer.kind === "fault") return { kind: "unanswered", fault: answer.fault };
  if (answer.served.kind === "none") return { kind: "no-version" };
  return { kind: "version", version: answer.served.version };
}

/** Gate 4; undefined: they are the same. */
export function exchange(from: Version, to: Version): Exchange | undefined {
  const order = compareVersions(from, to);
  if (order === 0) return undefined;
  return order < 0 ? { kind: "upgrade", from, to } : { kind: "downgrade", from, to };
}

export const noVersion: Refusal = {
  kind: "stay",
  why: "no-version",
  told: "the channel serves no version at present",
  lift: "a version is served",
};

export function current(version: Version): Refusal {
  return { kind: "stay", why: "current", told: `${version} is the version served`, lift: "another version is served" };
}
