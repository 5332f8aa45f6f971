import { faultTable } from "../../rules/fault/table.ts";
import { moveReasons } from "../plan/host-reasons.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { maybe, number, parsed, printable, record, words, type Of, type Shape } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { movements } from "./state.ts";

/** The kinds of events that `notify.command` receives. */
export const eventKinds = {
  moved: "the agent runs another version, or its package was repaired",
  undone: "a move failed, and the version before runs again",
  failed: "a move failed and was not undone, or could not begin",
  "needs-operator": "nothing moves any more before somebody has looked",
  "contact-lost": "the version server has not been reached for a day",
  "contact-regained": "the version server answers again",
  test: "somebody has typed svc-upgrade notify",
};
export type EventKind = keyof typeof eventKinds;

const idRule = /^[\da-f]{32}$/;
export const eventId: Shape<string> = parsed((found) => (idRule.test(found) ? found : undefined), "32 hexadecimal digits");

const sentence = printable(400);
const name = printable(128);

const move = record({
  kind: words(movements),
  /** Undefined if an earlier pass began the move and its reason is lost. */
  why: maybe(words(moveReasons)),
  from: maybe(name),
  to: name,
  seconds: maybe(number),
});

/** One event. It has no secrets, and keeps its id however often it is sent. */
export const event = record({
  id: eventId,
  at: number,
  host: printable(64),
  kind: words(eventKinds),
  told: sentence,
  next: maybe(sentence),
  package: name,
  channel: maybe(name),
  move: maybe(move),
  fault: maybe(record({ code: words(faultTable), message: sentence, hint: sentence })),
});
export type NotifyEvent = Of<typeof event>;

/** Room for ten of the longest sentences and names, four bytes for each character. */
export const longestEventBytes: number = 10 * 1024;

export function encodeEvent(written: NotifyEvent): string {
  return JSON.stringify(encode(event, written));
}

/** Drops unknown keys, because another user may control the deciding unit by then. */
export function decodeEvent(found: string): Reading<NotifyEvent> {
  return Buffer.byteLength(found) > longestEventBytes
    ? { kind: "unreadable", why: `it is longer than ${longestEventBytes} bytes` }
    : decode(found, event, "ignored");
}
