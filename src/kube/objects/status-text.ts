import { quote } from "../../rules/text/quote.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { absent, currentVersion, stayOf } from "./decide-object.ts";
import { asksLeft } from "./people-ask.ts";
import type { ObjectName, ObjectPolicy } from "./object-facts.ts";
import { referenceOf } from "./object-lift.ts";
import type { Decision, Stay } from "./object-decision.ts";
import { slipOf, unreadable } from "./object-gates.ts";
import { keptIn, memoryIn, type Kept, type KeptReading } from "./record.ts";
import { annotationOf, imageIn, type SeenObject } from "./seen.ts";
import { moveSteps, sentenceOfEnded } from "./move-memory.ts";
import { codeOf, nextVersion, sentenceOf, tellsMove } from "./event-text.ts";

type Row = readonly [label: string, told: string | undefined];

const longest = 1000;

/** Prints the part of the ConfigMap that people read. */
export function statusText(kept: Kept, object: ObjectName): string {
  return print(recordRows(kept, object));
}

/** The record and the present state of an object. */
export type StatusSight = {
  readonly reading: KeptReading;
  readonly object: SeenObject | undefined;
  readonly policy: ObjectPolicy;
  readonly now: UnixSeconds;
};

/** Prints the screen of `status`: the record's own words, and facts about the object that the record lacks. */
export function statusScreen(sight: StatusSight): string {
  const { reading, object, policy } = sight;
  const told = reading.kind === "kept" ? recordRows(reading.record, policy.object) : unrecorded(reading, policy);
  return print([...told, ...(object === undefined ? [["note", absent(policy).told] as const] : objectRows(object, sight))]);
}

function recordRows(kept: Kept, object: ObjectName): readonly Row[] {
  const { decision, since, current, last, rejected, backoff } = kept;
  const next = nextVersion(decision, kept);
  return [
    objectRow(object),
    ["version", current ?? "not known"],
    ["channel", `${kept.heard.channel ?? "no answer yet"}${next === undefined ? "" : ` serves ${next}`}`],
    ...decisionRows(decision, since),
    ["move in hand", tellsMove(decision) ? undefined : moveInHand(kept)],
    ["last move", last === undefined ? undefined : `${sentenceOfEnded(last)}, at ${printInstant(last.at)}`],
    ...rejected.map(({ served, at, why }): Row => ["rejected", `${served}, at ${printInstant(at)}: ${why}`]),
    ["waiting", backoff === undefined ? undefined : `until ${printInstant(backoff.until)} after: ${backoff.cause.message}`],
  ];
}

function moveInHand({ move }: Kept): string | undefined {
  return move && `${move.from} -> ${move.to}, since ${printInstant(move.startedAt)}: ${moveSteps[move.step]}`;
}

function decisionRows(decision: Decision, since?: UnixSeconds): readonly Row[] {
  const until = decision.kind === "stop" ? undefined : decision.until;
  return [
    ["decision", `${decision.kind}: ${sentenceOf(decision)}`],
    ["reason", codeOf(decision)],
    ["since", since === undefined ? undefined : printInstant(since)],
    [decision.kind === "move" ? "may begin until" : "until", until === undefined ? undefined : printInstant(until)],
    ["to end it", decision.kind === "stay" ? decision.lift : undefined],
    ["next step", decision.kind === "stop" ? decision.hint : undefined],
  ];
}

function objectRow(object: ObjectName): Row {
  return ["object", `${referenceOf(object)}, container ${object.container}`];
}

function unrecorded(reading: Exclude<KeptReading, { kind: "kept" }>, policy: ObjectPolicy): readonly Row[] {
  const decision = unreadableIn(reading, policy);
  if (decision !== undefined) return [objectRow(policy.object), ...decisionRows(decision)];
  return [objectRow(policy.object), ["decision", "none: the updater has not looked at it yet; its log says why"]];
}

/** The updater's decision while the record cannot be read. */
export function unreadableIn(reading: KeptReading, policy: ObjectPolicy): Stay | undefined {
  const said = unreadable(memoryIn(reading, undefined));
  return said && stayOf(said, policy);
}

function objectRows(object: SeenObject, { reading, policy, now }: StatusSight): readonly Row[] {
  const { status, replicas } = object;
  const { container } = policy.object;
  const kept = keptIn(reading);
  const live = currentVersion(object, policy);
  const isMadeAgain = kept?.uid !== undefined && kept.uid !== object.uid;
  const isMoved = kept !== undefined && live !== kept.current;
  return [
    ["image", imageIn(object, container) ?? `there is no container ${container}`],
    ["pods", `${status.ready} of ${replicas} ready, ${status.updated} run the newest template`],
    ["recorded", kept === undefined ? undefined : `at ${printInstant(kept.at)}`],
    ...asksLeft(kept?.heeded, object, now).map(({ ask, at }): Row => [
      "asked",
      `${annotationOf[ask]} of ${printInstant(at)} is not acted on yet`,
    ]),
    ["note", slipOf(object)],
    ["note", isMadeAgain ? "the object was made again, and the updater has not looked at it since" : undefined],
    [
      "note",
      isMoved ? `the object has ${live ?? "another image"} by now, and the updater has not looked at it since` : undefined,
    ],
  ];
}

function print(rows: readonly Row[]): string {
  return rows.flatMap(([label, told]) => (told === undefined ? [] : [`${label}: ${quote(told, longest)}\n`])).join("");
}
