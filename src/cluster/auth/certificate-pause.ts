import type { MessageInitShape } from "@bufbuild/protobuf";
import type { JoinResponseSchema, JoinService, RenewResponseSchema } from "../api/generated/svc/v1/join_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { pinOf } from "../identity/pin.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Caller } from "./caller.ts";
import { keyIn } from "./certify.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { findJoined } from "./instance-row.ts";
import { requireToken } from "./join.ts";
import { mostPauseSeconds } from "./limits.ts";

type Join = HandlersOf<typeof JoinService>["join"];
type Joined = MessageInitShape<typeof JoinResponseSchema>;
type Renew = HandlersOf<typeof JoinService>["renew"];

/**
 * Pauses between two certificates of an instance, because each adds a row to the bounded audit. A repeated request gets the first answer again: that
 * answer was lost.
 */
export function renewWithPauses(renew: Renew): Renew {
  const recent = new RecentAnswers<MessageInitShape<typeof RenewResponseSchema>>();
  return async (context, caller, request) => {
    const who = shownBy(caller);
    if (who === undefined) return renew(context, caller, request);
    const alike = `${who.serial} ${pinOf(await keyIn(request.certificateRequest))}`;
    const at = context.now();
    const pauseSeconds = pauseOf(context);
    recent.forget(at - pauseSeconds);
    const last = recent.to(who.id);
    if (last === undefined) return recent.give(who.id, { at, alike, answer: renew(context, caller, request) });
    if (last.alike === alike) return last.answer;
    throw tooSoon(last.at + pauseSeconds - at);
  };
}

/** Pauses between two joins with one key. A repeated join gets the first answer again: that answer was lost. */
export function joinWithPauses(join: Join): Join {
  const recent = new RecentAnswers<Joined>();
  return async (context, caller, request) => {
    const alike = await requireToken(context, request);
    const key = pinOf(await keyIn(request.certificateRequest));
    const at = context.now();
    recent.forget(at - pauseOf(context));
    const last = recent.to(key);
    if (last?.alike === alike) {
      const answer = await last.answer;
      if (await isThere(context, answer)) return answer;
    }
    return recent.give(key, { at, alike, answer: join(context, caller, request) });
  };
}

/** The instance that a certificate names, even if the certificate has expired. */
function shownBy(caller: Caller): { readonly id: string; readonly serial: string } | undefined {
  if (caller.kind === "instance") return caller;
  if (caller.kind !== "stranger" || caller.past === undefined) return undefined;
  return { id: caller.past.subject.id, serial: caller.past.serial };
}

/** A test's certificates live for seconds, so their pause is shorter. */
function pauseOf({ times }: Pick<AuthContext, "times">): UnixSeconds {
  return Math.min(mostPauseSeconds, Math.floor(times.certificateSeconds / 4));
}

/** Whether the joined instance still exists. If not, the next join is refused as usual. */
async function isThere({ store }: Pick<AuthContext, "store">, { identity }: Joined): Promise<boolean> {
  return (await findJoined(store, identity?.instanceId ?? "")) !== undefined;
}

function tooSoon(seconds: number): Fault {
  return new Fault("auth-busy", {
    message: `this instance has renewed its certificate a moment ago: it can again in ${seconds} seconds`,
    hint: "nothing: a certificate is renewed once in weeks; is the same identity on two hosts?",
    retryAfterSeconds: seconds,
  });
}

type Given<Answer> = { readonly at: UnixSeconds; readonly alike: string; readonly answer: Promise<Answer> };

/** The last answer to each asker, and the request that it answered. */
class RecentAnswers<Answer> {
  readonly #given = new Map<string, Given<Answer>>();

  forget(before: UnixSeconds): void {
    for (const [asker, { at }] of this.#given) {
      // The oldest answers come first.
      if (at > before) return;
      this.#given.delete(asker);
    }
  }

  to(asker: string): Given<Answer> | undefined {
    return this.#given.get(asker);
  }

  /** Keeps an answer from the moment when it was asked for. Forgets an answer that failed. */
  give(asker: string, given: Given<Answer>): Promise<Answer> {
    this.#given.set(asker, given);
    given.answer.catch(() => {
      if (this.#given.get(asker) === given) this.#given.delete(asker);
    });
    return given.answer;
  }
}
