import type { FaultData } from "../fault/fault.ts";
import { compareVersions, type Version } from "../version/version.ts";
import type { Refusal } from "./gate-answer.ts";
import type { AnswerHeard } from "./gate-facts.ts";
import type { Exchange } from "./gate.ts";
import type { Pin } from "./gate-policy.ts";

/** The fault if there is no answer: only a rollback works without one. */
const notAsked: FaultData = {
  code: "ask-failed",
  message: "the channel was not asked what it serves",
  hint: "nothing to do: the next pass asks",
  causes: [],
};

export type ServedVersion =
  | { readonly kind: "unanswered"; readonly fault: FaultData }
  | { readonly kind: "no-version" }
  /** The version may be outdated. */
  | { readonly kind: "unconfirmed" }
  | { readonly kind: "version"; readonly version: Version };

/** Gates 2 and 3: a fault, or no version served. */
export function servedIn(answer: AnswerHeard): ServedVersion {
  if (answer.kind === "not-asked") return { kind: "unanswered", fault: notAsked };
  if (answer.kind === "fault") return { kind: "unanswered", fault: answer.fault };
  if (answer.isUnconfirmed === true) return { kind: "unconfirmed" };
  if (answer.served.kind === "none") return { kind: "no-version" };
  return { kind: "version", version: answer.served.version };
}

/** The wanted version: the pinned one whatever the channel answers, or the served one. */
export function wantedBy(answer: AnswerHeard, pin: Pin | undefined): ServedVersion {
  return pin === undefined ? servedIn(answer) : { kind: "version", version: pin.version };
}

/** Gate 4: undefined if the versions are the same. */
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

export const unconfirmed: Refusal = {
  kind: "stay",
  why: "unconfirmed",
  told: "the proxy that answered has not heard from the cluster's auth service for a while, so what it serves may be outdated",
  lift: "auth answers",
};

export function current(version: Version): Refusal {
  return { kind: "stay", why: "current", told: `${version} is the version served`, lift: "another version is served" };
}

/** Also names the channel's version, to which unpin leads. */
export function pinned({ version, reason }: Pin, answer: AnswerHeard): Refusal {
  const why = reason === undefined ? "" : `: ${reason}`;
  return { kind: "stay", why: "pinned", told: `pinned to ${version}${why}; ${channelSays(answer, version)}`, lift: "unpin" };
}

function channelSays(answer: AnswerHeard, pin: Version): string {
  if (answer.kind === "not-asked") return "what the channel serves is not known yet";
  const served = servedIn(answer);
  switch (served.kind) {
    case "unanswered":
      return "the channel gave no answer";
    case "unconfirmed":
      return "what the channel serves may be outdated";
    case "no-version":
      return "the channel serves no version at present";
    case "version":
      return `the channel serves ${compareVersions(served.version, pin) === 0 ? "it as well" : served.version}`;
  }
}
