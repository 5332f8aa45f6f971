import { quote } from "../../rules/text/quote.ts";
import { compare, stayLine, tellLift } from "../../rules/decide/comparison.ts";
import type { Served } from "../../rules/channel/answer.ts";
import type { Version } from "../../rules/version/version.ts";
import type { Decision, Stop } from "./object-decision.ts";
import { stayReasons } from "./object-reasons.ts";
import type { Kept } from "./record.ts";
import { isDowngrade, sentenceOfEnded, type Ended } from "./move-memory.ts";

/** The text of an Event. */
export type Told = {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly note: string;
};

/** The API server accepts 1,024 bytes. */
const longestNote = 1000;
const longestWideNote = 250;

export function eventOf(decision: Decision): Told {
  const type = concernsSomebody(decision) ? "Warning" : "Normal";
  const text = `${sentenceOf(decision)}${endOf(decision)}`;
  const isWide = new TextEncoder().encode(text).length > longestNote;
  return { type, reason: camelCase(codeOf(decision)), note: quote(text, isWide ? longestWideNote : longestNote) };
}

/** How a move ended, and whether somebody should know. */
export function endedEvent(ended: Ended): Told {
  const reasons = {
    proven: isDowngrade(ended) ? "Downgraded" : "Upgraded",
    back: "TakenBack",
    overtaken: "Overtaken",
    reset: "Reset",
    unproven: "Unproven",
  };
  const { outcome } = ended;
  return { type: outcome === "proven" ? "Normal" : "Warning", reason: reasons[outcome], note: sentenceOfEnded(ended) };
}

export function slipEvent(note: string): Told {
  return { type: "Warning", reason: "AnnotationIgnored", note };
}

/** Whether the decision needs a person, so that its Event is repeated. In a healthy fleet none does. */
export function concernsSomebody(decision: Decision): boolean {
  return decision.kind === "stop" || (decision.kind === "stay" && stayReasons[decision.why].concerns === "somebody");
}

export function codeOf(decision: Decision): string {
  return decision.kind === "stop" ? decision.code : decision.why;
}

const begun = { upgrade: "an upgrade is available", downgrade: "a downgrade is due" } as const;

/** The sentence that begins a log line and an Event. */
export function sentenceOf(decision: Decision): string {
  switch (decision.kind) {
    case "stay":
      return decision.told;
    case "move":
      return `${begun[decision.target.kind]} (${decision.target.from} -> ${decision.target.to}), and it begins now: ${decision.told}`;
    case "stop":
      return decision.told;
  }
}

/** Prints a decision as the one line of a dry run or a command: the comparison and its result. */
export function decidedLine(decision: Exclude<Decision, Stop>, { current, served }: Compared, mood: "would" | "does"): string {
  const line = compare(current, served);
  if (decision.kind === "move") {
    const verb = mood === "would" ? `would ${decision.target.kind}` : `${decision.target.kind}s`;
    return `${line.line}, the updater ${verb} now: ${decision.told}`;
  }
  const isByItself = tellsMove(decision) || decision.why === "still-unhealthy" || decision.why === "unhealthy";
  return `${isByItself ? decision.told : stayLine(line, decision)}${tellLift(decision)}`;
}

/** Whether the decision is about the current move. */
export function tellsMove(decision: Decision): boolean {
  return decision.kind === "stay" && (decision.why === "moving" || decision.why === "going-back");
}

export type Compared = { readonly current: Version | undefined; readonly served: Served };

/** Tells what ends the decision, if somebody can end it. */
function endOf(decision: Decision): string {
  if (decision.kind === "stop") return `; ${decision.hint}`;
  return decision.kind === "stay" && decision.lift !== undefined ? `; to end it: ${decision.lift}` : "";
}

/** The last served version in the record. */
export function servedBy(decision: Decision, kept: Pick<Kept, "heard" | "current">): Served | undefined {
  if (decision.kind === "stay" && decision.why === "no-version") return { kind: "none" };
  const version = nextVersion(decision, kept);
  return version && { kind: "version", version };
}

/** The served version, if anything is known about it. */
export function nextVersion(decision: Decision, { heard, current }: Pick<Kept, "heard" | "current">): Version | undefined {
  if (decision.kind === "move") return decision.target.to;
  if (decision.kind === "stay" && decision.why === "current") return current;
  return heard.versions[0]?.version;
}

function camelCase(code: string): string {
  return code.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
