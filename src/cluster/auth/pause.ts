import type { MessageInitShape } from "@bufbuild/protobuf";
import type { JoinResponseSchema, JoinService, RenewResponseSchema } from "../api/generated/svc/v1/join_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { pinOf } from "../identity/pin.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Caller } from "./caller.ts";
import { keyIn } from "./certify.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { instanceKey, instanceRow } from "./instance-row.ts";
import { requireToken } from "./join.ts";
import { Lately } from "./lately-answered.ts";
import { mostPauseSeconds } from "./limits.ts";
import { findRow } from "./row-forms.ts";

type Join = HandlersOf<typeof JoinService>["join"];
type Joined = MessageInitShape<typeof JoinResponseSchema>;
type Renew = HandlersOf<typeof JoinService>["renew"];

/**
 * Between two certificates of an instance there is a pause: each is told in the audit, which is bounded. Whoever asks meanwhile as
 * before has lost the answer, and gets it once more.
 */
export function renewWithPauses(renew: Renew): Renew {
  const lately = new Lately<MessageInitShape<typeof RenewResponseSchema>>();
  return async (context, caller, request) => {
    const who = shownBy(caller);
    if (who === undefined) return renew(context, caller, request);
    const alike = `${who.serial} ${pinOf(await keyIn(request.certificateRequest))}`;
    const at = context.now();
    const pauseSeconds = pauseOf(context);
    lately.forget(at - pauseSeconds);
    const last = lately.to(who.id);
    if (last === undefined) return lately.give(who.id, { at, alike, answer: renew(context, caller, request) });
    if (last.alike === alike) return last.answer;
    throw tooSoon(last.at + pauseSeconds - at);
  };
}

/** The same for a key that joins: it is asked for again where the answer was lost. */
export function joinWithPauses(join: Join): Join {
  const lately = new Lately<Joined>();
  return async (context, caller, request) => {
    const alike = await requireToken(context, request);
    const key = pinOf(await keyIn(request.certificateRequest));
    const at = context.now();
    lately.forget(at - pauseOf(context));
    const last = lately.to(key);
    if (last?.alike === alike) {
      const answer = await last.answer;
      if (await isThere(context, answer)) return answer;
    }
    return lately.give(key, { at, alike, answer: join(context, caller, request) });
  };
}

/** Whose certificate was shown, be it expired. */
function shownBy(caller: Caller): { readonly id: string; readonly serial: string } | undefined {
  if (caller.kind === "instance") return caller;
  if (caller.kind !== "stranger" || caller.past === undefined) return undefined;
  return { id: caller.past.subject.id, serial: caller.past.serial };
}

/** Shorter where certificates are: a test's live for seconds. */
function pauseOf({ times }: Pick<AuthContext, "times">): UnixSeconds {
  return Math.min(mostPauseSeconds, Math.floor(times.certificateSeconds / 4));
}

/** It may have been removed meanwhile: then it is refused as it is at any other time. */
async function isThere({ store }: Pick<AuthContext, "store">, { identity }: Joined): Promise<boolean> {
  const found = await findRow(store, instanceRow, instanceKey(identity?.instanceId ?? ""));
  return found !== undefined && found.row.removed === undefined;
}

function tooSoon(seconds: number): Fault {
  return new Fault("auth-busy", {
    message: `this instance has renewed its certificate a moment ago: it can again in ${seconds} seconds`,
    hint: "nothing: a certificate is renewed once in weeks; is the same identity on two hosts?",
    retryAfterSeconds: seconds,
  });
}
