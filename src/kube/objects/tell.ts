import { quote } from "../../rules/fault/quote.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Version } from "../../rules/version/version.ts";
import type { Decision } from "./object-decision.ts";
import type { ObjectName } from "./object-facts.ts";
import { stayReasons } from "./object-reasons.ts";
import type { Kept } from "./record.ts";
import { sentenceOfEnded, type Ended } from "./standing.ts";

/** An Event's words. */
export type Told = {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly note: string;
};

/** The API server takes 1,024 bytes. */
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
  const reasons = { proven: "Upgraded", back: "TakenBack", overtaken: "Overtaken" } as const;
  const { outcome } = ended;
  return { type: outcome === "proven" ? "Normal" : "Warning", reason: reasons[outcome], note: sentenceOfEnded(ended) };
}

export function slipEvent(note: string): Told {
  return { type: "Warning", reason: "AnnotationIgnored", note };
}

/** A fleet in good order has none of these; they are told again as long as they last. */
export function concernsSomebody(decision: Decision): boolean {
  return decision.kind === "stop" || (decision.kind === "stay" && stayReasons[decision.why].concerns === "somebody");
}

export function codeOf(decision: Decision): string {
  return decision.kind === "stop" ? decision.code : decision.why;
}

/** As a log line and an Event begin. */
export function sentenceOf(decision: Decision): string {
  switch (decision.kind) {
    case "stay":
      return decision.told;
    case "move":
      return `an upgrade is available (${decision.target.from} -> ${decision.target.to}), and it begins now: ${decision.told}`;
    case "stop":
      return decision.told;
  }
}

/** What ends it, where somebody can. */
function endOf(decision: Decision): string {
  if (decision.kind === "stop") return `; ${decision.hint}`;
  return decision.kind === "stay" && decision.lift !== undefined ? `; to end it: ${decision.lift}` : "";
}

/** The version that the channel serves, as far as it was heard. */
export function nextVersion(decision: Decision, { heard, current }: Pick<Kept, "heard" | "current">): Version | undefined {
  if (decision.kind === "move") return decision.target.to;
  if (decision.kind === "stay" && decision.why === "current") return current;
  return heard.versions[0]?.version;
}

/** The part of the ConfigMap that people read. */
export function statusText(kept: Kept, { kind, name, container }: ObjectName): string {
  const { decision, since, current, last } = kept;
  const next = nextVersion(decision, kept);
  const until = decision.kind === "stop" ? undefined : decision.until;
  const lift = decision.kind === "stay" ? decision.lift : undefined;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["object", `${kind.toLowerCase()}/${name}, container ${container}`],
    ["version", current ?? "not known"],
    ["channel", `${kept.heard.channel ?? "not asked yet"}${next === undefined ? "" : ` serves ${next}`}`],
    ["decision", `${decision.kind}: ${sentenceOf(decision)}`],
    ["reason", codeOf(decision)],
    ["since", printInstant(since)],
    [decision.kind === "move" ? "may begin until" : "until", until === undefined ? undefined : printInstant(until)],
    ["to end it", lift],
    ["next step", decision.kind === "stop" ? decision.hint : undefined],
    ["last move", last === undefined ? undefined : `${sentenceOfEnded(last)}, at ${printInstant(last.at)}`],
  ];
  return lines.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${quote(value, longestNote)}\n`])).join("");
}

function camelCase(code: string): string {
  return code.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
