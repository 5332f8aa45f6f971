import { agentCondition } from "../plan/host-facts.ts";
import { moveReasons } from "../plan/host-reasons.ts";
import { passId } from "../record/hand-over.ts";
import { agentRecord, mostKept } from "../record/state.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { count, kinds, listOf, maybe, record, text, words, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { packageVersion } from "../../rules/version/wrapped.ts";

const moment = record({ monotonicUs: count, realtimeMs: count });
/** The limit of `decodeEvent` and of the queue. A test compares them. */
const longestEventBytes = 10_240;
const mostWaiting = 20;
/** What the last pass saw of the agent's unit. */
const seen = maybe(agentRecord);

/**
 * What the deciding unit asks of the acting unit: lines of JSON, each with a line as answer. A request names a package only by its version. Root's
 * own files give the package's name, file and manager, the agent's unit and its health command.
 */
const request = kinds({
  /** The pass that asks, and the digest of the settings by which it decided. */
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
  /** The event as text: only the unit that sends it on parses it, so other passes need not load its form. */
  notify: { event: text(longestEventBytes) },
  notified: { ids: listOf(text(64), mostWaiting) },
});
export type ActRequest = Of<typeof request>;

/** A longer line is not a request. */
export const longestRequestBytes = 16_384;

export function encodeRequest(asked: ActRequest): string {
  return JSON.stringify(encode(request, asked));
}

/** Ignores unknown keys, because the two units may be of different releases during an upgrade. */
export function decodeRequest(found: string): Reading<ActRequest> {
  return decode(found, request, "ignored");
}
