import { weighCritical } from "../../../rules/channel/critical.ts";
import { readBeside } from "../../../rules/channel/headers.ts";
import { hear, type Heard } from "../../../rules/channel/heard.ts";
import type { ChannelName } from "../../../rules/channel/path.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { askCritical, servedIn } from "../../../machine/network/ask-critical.ts";
import { oneOf, readBody } from "../../../machine/network/body.ts";
import type { Exchanged } from "../../../machine/network/exchange.ts";
import { follow, type FollowingRedirects, type RoutedUrl } from "../../../machine/network/follow.ts";
import type { Response } from "../../../machine/network/request.ts";
import { retryAfterMs } from "../../../machine/network/retry.ts";
import type { UpstreamAnswer } from "../../server-rules/server-answer.ts";
import type { Question } from "../../server-rules/asked.ts";
import type { Endpoint } from "../../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { longestBodyBytes, wholeMs } from "./deadlines.ts";
import type { Dispatchers } from "./dispatchers.ts";
import { explainUpstream } from "./explain.ts";
import type { AtOrigin } from "./places.ts";

export type AskUpstream = FollowingRedirects & {
  readonly dispatchers: Dispatchers;
  readonly atOrigin: AtOrigin;
  readonly now: () => UnixSeconds;
  /** Called if the upstream says how long we have to wait before we ask again. */
  readonly leaveAlone: (ms: number) => void;
  readonly signal: AbortSignal;
  /** How long one answer may take up to its last byte. Tests set less. */
  readonly wholeMs?: number;
};

export type AskedUpstream = {
  readonly answer: UpstreamAnswer;
  /** What is remembered of the channel's answers, this one included. */
  readonly heard: Heard;
  /** Why it is unknown whether the version is critical; then the last known value stays, or "no". */
  readonly uncertain: string | undefined;
};

/** What was known before. */
export type Before = { readonly answer: UpstreamAnswer | undefined; readonly heard: Heard };

/** Asks both questions of a channel. A missing version is a Fault. */
export async function askUpstream(
  { name, url }: { readonly name: ChannelName; readonly url: Endpoint },
  before: Before,
  ask: AskUpstream,
): Promise<AskedUpstream> {
  const at = ask.now();
  const response = await question(url, "version", ask);
  const { channels, decision } = response;
  const served = await servedIn(response);
  const answered = { channel: name, served, decision };
  if (served.kind === "none") {
    return { answer: { served, isCritical: false, decision, at }, heard: hear(before.heard, answered, at), uncertain: undefined };
  }
  const known = before.answer?.served;
  const wasCritical = known?.kind === "version" && known.version === served.version && before.answer?.isCritical === true;
  try {
    const urgency = await askCritical({ served, channels }, (about, time) =>
      question(url, time === undefined ? about : `${about}?again=${at}`, ask),
    );
    const doubt = urgency.kind === "doubted" ? urgency.doubt : undefined;
    const heard = hear(before.heard, { ...answered, doubt }, at);
    const verdict = weighCritical({ served, isCritical: urgency.kind === "named", doubt }, heard, at);
    const isCritical = verdict.kind === "counts" || (verdict.kind === "doubted" && wasCritical);
    const uncertain = verdict.kind === "doubted" ? verdict.told : undefined;
    return { answer: { served, isCritical, decision, at }, heard, uncertain };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const answer = { served, isCritical: wasCritical, decision, at };
    return { answer, heard: hear(before.heard, answered, at), uncertain: thrown.message };
  }
}

function question(base: Endpoint, about: Question | `${Question}?again=${number}`, ask: AskUpstream): Promise<Response> {
  const start = new URL(`${base}/${about}`);
  return ask.atOrigin(start.origin, async () => {
    ask.signal.throwIfAborted();
    const signal = AbortSignal.any([ask.signal, AbortSignal.timeout(ask.wholeMs ?? wholeMs)]);
    const { url, route, answer } = await follow(start, ask, (way) => exchange(way, ask.dispatchers, signal));
    const aloneMs = isTooMuch(answer) ? retryAfterMs(answer) : undefined;
    if (aloneMs !== undefined) ask.leaveAlone(aloneMs);
    return { ...answer, url, route };
  });
}

/** The two statuses that use Retry-After. */
function isTooMuch({ status }: Exchanged): boolean {
  return status === 429 || status === 503;
}

async function exchange(way: RoutedUrl, dispatchers: Dispatchers, signal: AbortSignal): Promise<Exchanged> {
  try {
    const dispatcher = await dispatchers.through(way);
    const { request } = await import("undici");
    const asking = { accept: "text/plain", "accept-encoding": "identity", "user-agent": "svc-proxy" };
    const { statusCode: status, headers, body } = await request(way.url, { dispatcher, signal, headers: asking });
    return {
      status,
      body: await readBody(body, { status, headers }, longestBodyBytes),
      location: oneOf(headers, "location"),
      contentType: oneOf(headers, "content-type"),
      retryAfter: oneOf(headers, "retry-after"),
      date: oneOf(headers, "date"),
      ...readBeside(headers),
    };
  } catch (error) {
    throw explainUpstream(signal.aborted ? signal.reason : error, { ...way, stores: dispatchers.stores });
  }
}
