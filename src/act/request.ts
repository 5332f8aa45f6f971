import type { Change } from "../package/manager.ts";
import type { Wanted } from "../pass/ports.ts";
import type { AgentCondition } from "../plan/facts.ts";
import { passId } from "../record/decode-hand-over.ts";
import { agentRecord, conditions, keptPackage } from "../record/decode-state.ts";
import {
  count,
  listOf,
  literal,
  object,
  oneOf,
  oneOfKind,
  orUndefined,
  packageVersion,
  readJson,
  text,
  type Reading,
} from "../record/read.ts";
import { mostKept, type AgentRecord, type KeptPackage } from "../record/state.ts";
import type { ToActivate } from "../unit/activate.ts";
import type { Await } from "../unit/await-transaction.ts";
import type { Moment } from "../unit/moment.ts";

/** A change, without the package's name: that is the acting unit's own to know. */
export type AskedChange = Omit<Change, "name">;

/**
 * What the deciding unit asks of the acting one: a line of JSON each, and a line for its answer. Each says all that there is to know; the
 * package, its manager, the agent's unit and its health command are never said, but read from root's settings.
 */
export type Request =
  /** Which pass asks, and by which settings it decided. */
  | { readonly kind: "begin"; readonly pass: string; readonly settings: string }
  | { readonly kind: "refresh" }
  | { readonly kind: "hold-again" }
  | { readonly kind: "mend" }
  | { readonly kind: "simulate"; readonly change: AskedChange }
  | { readonly kind: "bring"; readonly change: AskedChange }
  | ({ readonly kind: "keep" } & Wanted)
  | { readonly kind: "keep-only"; readonly kept: readonly KeptPackage[] }
  | { readonly kind: "install"; readonly change: AskedChange; readonly kept: KeptPackage | undefined }
  | { readonly kind: "await-transaction"; readonly how: Await }
  | { readonly kind: "look"; readonly seen: AgentRecord | undefined }
  | ({ readonly kind: "activate" } & Pick<ToActivate, "before" | "since" | "begunBy">)
  | { readonly kind: "prove-health"; readonly before: AgentCondition }
  | { readonly kind: "last-lines"; readonly since: Moment };

/** What is longer than this is no request. */
export const longestRequestBytes = 16_384;

export function encodeRequest(request: Request): string {
  return JSON.stringify(request);
}

export function decodeRequest(found: string): Reading<Request> {
  return readJson(found, request);
}

/** For the length of an upgrade the two halves may be of two releases. */
const others = { unknown: "ignored" } as const;

const change = object<AskedChange>(
  { to: packageVersion, direction: oneOf({ up: 0, down: 0, same: 0 }), hold: oneOf({ none: 0, lifted: 0 }) },
  others,
);
const moment = object<Moment>({ monotonicUs: count, realtimeMs: count }, others);

type Of<K extends Request["kind"]> = Extract<Request, { readonly kind: K }>;
const request = oneOfKind<Request>({
  begin: object<Of<"begin">>({ kind: literal("begin"), pass: passId, settings: text(64) }, others),
  refresh: object<Of<"refresh">>({ kind: literal("refresh") }, others),
  "hold-again": object<Of<"hold-again">>({ kind: literal("hold-again") }, others),
  mend: object<Of<"mend">>({ kind: literal("mend") }, others),
  simulate: object<Of<"simulate">>({ kind: literal("simulate"), change }, others),
  bring: object<Of<"bring">>({ kind: literal("bring"), change }, others),
  keep: object<Of<"keep">>({ kind: literal("keep"), version: packageVersion, is: oneOf({ installed: 0, offered: 0 }) }, others),
  "keep-only": object<Of<"keep-only">>({ kind: literal("keep-only"), kept: listOf(keptPackage, mostKept) }, others),
  install: object<Of<"install">>({ kind: literal("install"), change, kept: orUndefined(keptPackage) }, others),
  "await-transaction": object<Of<"await-transaction">>(
    { kind: literal("await-transaction"), how: oneOf<Await>({ "a-minute": 0, "until-stopped": 0, "to-its-end": 0 }) },
    others,
  ),
  look: object<Of<"look">>({ kind: literal("look"), seen: orUndefined(agentRecord) }, others),
  activate: object<Of<"activate">>(
    {
      kind: literal("activate"),
      before: oneOf(conditions),
      since: moment,
      begunBy: oneOf({ "this pass": 0, "another pass": 0 }),
    },
    others,
  ),
  "prove-health": object<Of<"prove-health">>({ kind: literal("prove-health"), before: oneOf(conditions) }, others),
  "last-lines": object<Of<"last-lines">>({ kind: literal("last-lines"), since: moment }, others),
});
