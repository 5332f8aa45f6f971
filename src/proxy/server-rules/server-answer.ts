import type { Served } from "../../rules/channel/answer.ts";
import type { DecisionNumber } from "../../rules/channel/decision-number.ts";
import { printServed } from "../../rules/channel/headers.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Question } from "./asked.ts";
import type { Channel, Configuration } from "./configuration.ts";
import { pingOf } from "./ping.ts";
import { refusalBody, refusals, type RefusedAnswer } from "./refusal.ts";
import { hourSeconds } from "../../rules/window/seconds.ts";

/** An answer without the protocol's own headers. */
export type ServerAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly cacheControl: string;
  /** None for an answer that must not be cached. */
  readonly etag?: string | undefined;
  /** Its tag is made from its body. */
  readonly isTaggedByBody?: true;
  readonly retryAfterSeconds?: number | undefined;
  readonly allow?: string | undefined;
  /** The version that the answer is about, if any. */
  readonly names?: string;
  readonly decision?: DecisionNumber | undefined;
  /** Names and values of further headers, in turn. */
  readonly besides?: readonly string[];
  readonly body: string;
};

export type UpstreamAnswer = {
  readonly served: Served;
  /** Whether this version is critical. Never taken from an answer about another version. */
  readonly isCritical: boolean;
  readonly decision?: DecisionNumber | undefined;
  readonly at: UnixSeconds;
};

/** An updater asks every ten minutes, so an answer kept for one is fresh enough. */
const keptSeconds = 60;

/** Long enough for a night without the upstream. An older answer may name a withdrawn version. */
export const longestStaleSeconds: number = 6 * hourSeconds;

/** The agent asks again after this time, so that it notices the end of an outage as soon as this server does. */
const askAgainSeconds = 60;

/** A channel's answer depends on its definition, its upstream's last answer and the time. */
export function channelAnswer(
  question: Question,
  { channel, upstream }: { readonly channel: Channel; readonly upstream: UpstreamAnswer | undefined },
  now: UnixSeconds,
): ServerAnswer {
  if (channel.kind === "static") return plain(question, channel);
  if (upstream === undefined || now - upstream.at > longestStaleSeconds) return refusal(refusals.upstreamUnknown);
  return plain(question, upstream);
}

export function pingAnswer(configuration: Configuration): ServerAnswer {
  return {
    ...kept,
    contentType: "application/json",
    isTaggedByBody: true,
    body: `${JSON.stringify(pingOf(configuration))}\n`,
  };
}

export function refusal(refused: RefusedAnswer): ServerAnswer {
  return {
    status: refused.status,
    contentType: "application/json",
    cacheControl: "no-store",
    retryAfterSeconds: refused.status === 503 ? askAgainSeconds : undefined,
    allow: refused.status === 405 ? "GET, HEAD" : undefined,
    body: refusalBody(refused),
  };
}

const kept = { status: 200, cacheControl: `public, max-age=${keptSeconds}` } as const;

type Known = Pick<UpstreamAnswer, "served" | "isCritical" | "decision">;

function plain(question: Question, { served, isCritical, decision }: Known): ServerAnswer {
  const names = printServed(served);
  const word = question === "version" ? names : isCritical ? "yes" : "no";
  // A cache must not reuse one version's "no" for the next version.
  const tag = [word, ...(question === "critical" ? [names] : []), ...(decision === undefined ? [] : [decision])].join("-");
  return { ...kept, contentType: "text/plain; charset=utf-8", etag: `"${tag}"`, names, decision, body: `${word}\n` };
}
