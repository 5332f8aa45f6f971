import type { Installation, Wanted } from "../pass/ports.ts";
import type { AgentCondition } from "../plan/facts.ts";
import { moveReasons } from "../plan/reasons.ts";
import { agentRecord, conditions } from "../record/decode-state.ts";
import {
  count,
  listOf,
  literal,
  object,
  oneOf,
  oneOfKind,
  orUndefined,
  packageVersion,
  passId,
  readJson,
  text,
  type Reading,
} from "../record/read.ts";
import { mostKept, type AgentRecord } from "../record/state.ts";
import type { ToActivate } from "../unit/activate.ts";
import type { Await } from "../unit/await-transaction.ts";
import type { Moment } from "../unit/moment.ts";
import type { PackageVersion } from "../version/wrapped.ts";

/**
 * What the deciding unit asks of the acting one: a line of JSON each, and a line for its answer. A package is asked for by its version;
 * its name and file, its manager, the agent's unit and its health command are never said, but read from what is root's.
 */
export type Request =
  /** Which pass asks, and by which settings it decided. */
  | { readonly kind: "begin"; readonly pass: string; readonly settings: string }
  | { readonly kind: "refresh" }
  | { readonly kind: "hold-again" }
  | { readonly kind: "mend" }
  | { readonly kind: "simulate"; readonly to: PackageVersion }
  | { readonly kind: "bring"; readonly to: PackageVersion }
  | ({ readonly kind: "keep" } & Wanted)
  | { readonly kind: "keep-only"; readonly versions: readonly PackageVersion[] }
  | ({ readonly kind: "install" } & Installation)
  | { readonly kind: "settle" }
  | { readonly kind: "offers" }
  | { readonly kind: "build-of"; readonly version: PackageVersion }
  | { readonly kind: "going-down" }
  | { readonly kind: "restarts" }
  | { readonly kind: "await-transaction"; readonly how: Await }
  | { readonly kind: "condition"; readonly seen: AgentRecord | undefined }
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

const moment = object<Moment>({ monotonicUs: count, realtimeMs: count }, others);

type Of<K extends Request["kind"]> = Extract<Request, { readonly kind: K }>;
const request = oneOfKind<Request>({
  begin: object<Of<"begin">>({ kind: literal("begin"), pass: passId, settings: text(64) }, others),
  refresh: object<Of<"refresh">>({ kind: literal("refresh") }, others),
  "hold-again": object<Of<"hold-again">>({ kind: literal("hold-again") }, others),
  mend: object<Of<"mend">>({ kind: literal("mend") }, others),
  simulate: object<Of<"simulate">>({ kind: literal("simulate"), to: packageVersion }, others),
  bring: object<Of<"bring">>({ kind: literal("bring"), to: packageVersion }, others),
  keep: object<Of<"keep">>(
    {
      kind: literal("keep"),
      version: packageVersion,
      is: oneOf({ installed: 0, offered: 0 }),
      to: packageVersion,
    },
    others,
  ),
  "keep-only": object<Of<"keep-only">>({ kind: literal("keep-only"), versions: listOf(packageVersion, mostKept) }, others),
  install: object<Of<"install">>(
    {
      kind: literal("install"),
      to: packageVersion,
      from: oneOf<Installation["from"]>({ offered: 0, kept: 0 }),
      why: oneOf(moveReasons),
    },
    others,
  ),
  offers: object<Of<"offers">>({ kind: literal("offers") }, others),
  "build-of": object<Of<"build-of">>({ kind: literal("build-of"), version: packageVersion }, others),
  settle: object<Of<"settle">>({ kind: literal("settle") }, others),
  "going-down": object<Of<"going-down">>({ kind: literal("going-down") }, others),
  restarts: object<Of<"restarts">>({ kind: literal("restarts") }, others),
  "await-transaction": object<Of<"await-transaction">>(
    { kind: literal("await-transaction"), how: oneOf<Await>({ "a-minute": 0, "until-stopped": 0, "to-its-end": 0 }) },
    others,
  ),
  condition: object<Of<"condition">>({ kind: literal("condition"), seen: orUndefined(agentRecord) }, others),
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
