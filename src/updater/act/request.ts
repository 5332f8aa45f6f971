import { agentCondition } from "../plan/host-facts.ts";
import { moveReasons } from "../plan/host-reasons.ts";
import { passId } from "../record/hand-over.ts";
import { agentRecord, mostKept } from "../record/state.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { count, kinds, listOf, maybe, record, text, words, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { packageVersion } from "../../rules/version/wrapped.ts";

const moment = record({ monotonicUs: count, realtimeMs: count });
/** As `decodeEvent` and the queue bound them; a test compares. */
const longestEventBytes = 10_240;
const mostWaiting = 20;
/** What the last pass saw of the agent's unit. */
const seen = maybe(agentRecord);

/**
 * What the deciding unit asks of the acting one: a line of JSON each, and a line for its answer. A package is asked for by its version;
 * its name and file, its manager, the agent's unit and its health command are never said, but read from what is root's.
 */
const request = kinds({
  /** Which pass asks, and by which settings it decided. */
  begin: { pass: passId, settings: text(64) },
  refresh: {},
  "hold-again": {},
  mend: {},
  simulate: { to: packageVersion },
  bring: { to: packageVersion },
  keep: { version: packageVersion, is: words({ installed: 0, offered: 0 }), to: packageVersion },
  "keep-only": { versions: listOf(packageVersion, mostKept) },
  install: { to: packageVersion, from: words({ offered: 0, kept: 0 }), why: words(moveReasons) },
  settle: {},
  offers: {},
  "build-of": { version: packageVersion },
  "going-down": {},
  restarts: {},
  "await-transaction": { how: words({ "a-minute": 0, "until-stopped": 0, "to-its-end": 0 }) },
  condition: { seen },
  look: { seen },
  activate: { before: agentCondition, since: moment, begunBy: words({ "this pass": 0, "another pass": 0 }) },
  "prove-health": { before: agentCondition },
  "last-lines": { since: moment },
  /** The event as a text: it is looked into where it is sent on, and no pass that sends none has to know its form. */
  notify: { event: text(longestEventBytes) },
  notified: { ids: listOf(text(64), mostWaiting) },
});
export type ActRequest = Of<typeof request>;

/** What is longer than this is no request. */
export const longestRequestBytes = 16_384;

export function encodeRequest(asked: ActRequest): string {
  return JSON.stringify(encode(request, asked));
}

/** For the length of an upgrade the two halves may be of two releases. */
export function decodeRequest(found: string): Reading<ActRequest> {
  return decode(found, request, "ignored");
}
