import type { Served } from "../../rules/channel/answer.ts";
import type { DecisionNumber } from "../../rules/channel/decision-number.ts";
import { printServed } from "../../rules/channel/headers.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Question } from "./asked.ts";
import type { Channel, Configuration } from "./configuration.ts";
import { pingOf } from "./ping.ts";
import { refusalBody, refusals, type RefusedAnswer } from "./refusal.ts";
import { hourSeconds } from "../../rules/window/seconds.ts";

/** All of an answer but what the protocol adds. */
export type ServerAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Undefined: an answer that nobody should keep. */
  readonly etag: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;
  /** The version that it speaks of; undefined: of none. */
  readonly names: string | undefined;
  /** Of the upstream's decision. */
  readonly decision: DecisionNumber | undefined;
  readonly body: string;
};

/** What an upstream said last, and when. */
export type UpstreamAnswer = {
  readonly served: Served;
  /** Of this very version: never of another one that another instance of the upstream serves. */
  readonly isCritical: boolean;
  readonly decision?: DecisionNumber | undefined;
  readonly at: UnixSeconds;
};

/** An updater asks every ten minutes: what is kept for one is as good as fresh. */
const keptSeconds = 60;

/** A night without the upstream changes nothing for anybody; what is older than this may be a version that was withdrawn. */
export const longestStaleSeconds: number = 6 * hourSeconds;

/** An outage is over for an agent when it is for us: within a minute. */
const askAgainSeconds = 60;

/** What a channel answers: a function of its definition, of what its upstream said last, and of the time. */
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
    etag: undefined,
    ...ofNoVersion,
    body: `${JSON.stringify(pingOf(configuration))}\n`,
  };
}

export function refusal(refused: RefusedAnswer): ServerAnswer {
  return {
    status: refused.status,
    contentType: "application/json",
    cacheControl: "no-store",
    etag: undefined,
    retryAfterSeconds: refused.status === 503 ? askAgainSeconds : undefined,
    allow: refused.status === 405 ? "GET, HEAD" : undefined,
    ...ofNoVersion,
    body: refusalBody(refused),
  };
}

const kept = {
  status: 200,
  cacheControl: `public, max-age=${keptSeconds}`,
  retryAfterSeconds: undefined,
  allow: undefined,
} as const;

const ofNoVersion = { names: undefined, decision: undefined } as const;

type Known = Pick<UpstreamAnswer, "served" | "isCritical" | "decision">;

function plain(question: Question, { served, isCritical, decision }: Known): ServerAnswer {
  const names = printServed(served);
  const word = question === "version" ? names : isCritical ? "yes" : "no";
  // A cache must not take the no of one version for the no of the next.
  const tag = [word, ...(question === "critical" ? [names] : []), ...(decision === undefined ? [] : [decision])].join("-");
  return { ...kept, contentType: "text/plain; charset=utf-8", etag: `"${tag}"`, names, decision, body: `${word}\n` };
}
