import type { Dispatcher } from "undici";
import { weighCritical } from "../../channel/critical.ts";
import { readBeside } from "../../channel/headers.ts";
import { hear, type Heard } from "../../channel/heard.ts";
import type { ChannelName } from "../../channel/path.ts";
import { Fault } from "../../fault/fault.ts";
import { askCritical, servedIn } from "../../network/ask-critical.ts";
import type { Body } from "../../network/exchange.ts";
import { redirectOf, tooManyRedirects } from "../../network/redirect.ts";
import type { Response } from "../../network/request.ts";
import type { Route } from "../../route/route.ts";
import type { UpstreamAnswer } from "../../serving/answer.ts";
import type { Question } from "../../serving/asked.ts";
import { isPlainHttpAbroad } from "../../settings/endpoint.ts";
import type { Endpoint } from "../../settings/settings.ts";
import type { UnixSeconds } from "../../window/window.ts";
import { longestBodyBytes, mostRedirects, wholeMs } from "./deadlines.ts";
import type { Dispatchers } from "./dispatchers.ts";
import { explainUpstream } from "./explain.ts";

export type AskUpstream = {
  readonly routeOf: (url: string) => Route;
  readonly dispatchers: Dispatchers;
  readonly plainHttp: "loopback-only" | "allowed";
  readonly now: () => UnixSeconds;
  readonly signal: AbortSignal;
  /** To the last byte of one question; tests have less time. */
  readonly wholeMs?: number;
};

export type Asked = {
  readonly answer: UpstreamAnswer;
  /** With this answer counted in. */
  readonly heard: Heard;
  /** Why it is not known whether the version is critical; then it is as before, or not. */
  readonly uncertain: string | undefined;
};

/** What was heard of it before. */
export type Before = { readonly answer: UpstreamAnswer | undefined; readonly heard: Heard };

/** Both questions of a channel. Whatever keeps the version from being known is a Fault. */
export async function askUpstream(
  { name, url }: { readonly name: ChannelName; readonly url: Endpoint },
  before: Before,
  ask: AskUpstream,
): Promise<Asked> {
  const at = ask.now();
  const response = await question(url, "version", ask);
  const { channels, decision } = response;
  const served = servedIn(response);
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

/** Every hop of it takes the route of its own URL, as the updater's do. */
async function question(base: Endpoint, about: Question | `${Question}?again=${number}`, ask: AskUpstream): Promise<Response> {
  const signal = AbortSignal.any([ask.signal, AbortSignal.timeout(ask.wholeMs ?? wholeMs)]);
  let url = new URL(`${base}/${about}`);
  for (let redirects = 0; ; redirects += 1) {
    const route = ask.routeOf(url.href);
    const { response, location } = await exchange({ url, route }, ask.dispatchers, signal);
    const next = redirectOf(url, { status: response.status, location });
    if (next === undefined) return response;
    if (redirects === mostRedirects) throw tooManyRedirects(url, mostRedirects);
    if (ask.plainHttp === "loopback-only" && isPlainHttpAbroad(next.href as Endpoint)) throw plainRedirect(url, next);
    url = next;
  }
}

type Way = { readonly url: URL; readonly route: Route };

async function exchange(
  { url, route }: Way,
  dispatchers: Dispatchers,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly location: string | undefined }> {
  try {
    const dispatcher = await dispatchers.through(route);
    const { request } = await import("undici");
    const headers = { accept: "text/plain", "accept-encoding": "identity", "user-agent": "svc-proxy" };
    const answer = await request(url, { dispatcher, signal, headers });
    const location = one(answer.headers["location"]);
    const body = await readBody(answer, location);
    const { statusCode: status } = answer;
    const retryAfter = one(answer.headers["retry-after"]);
    const date = one(answer.headers["date"]);
    return { response: { status, body, retryAfter, date, ...readBeside(answer.headers), url, route }, location };
  } catch (error) {
    throw explainUpstream(signal.aborted ? signal.reason : error, { url, route });
  }
}

/** What is longer than any version is not read on: the connection is given up instead. */
async function readBody({ body, headers }: Dispatcher.ResponseData, location: string | undefined): Promise<Body> {
  const encoding = one(headers["content-encoding"]);
  const isEncoded = encoding !== undefined && encoding.toLowerCase() !== "identity";
  if (location !== undefined || isEncoded) {
    body.on("error", () => undefined).destroy();
    return isEncoded ? { kind: "encoded", encoding } : { kind: "cut", bytes: new Uint8Array() };
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop destroys the body.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longestBodyBytes) return { kind: "cut", bytes: Buffer.concat(chunks).subarray(0, longestBodyBytes) };
  }
  return { kind: "whole", bytes: Buffer.concat(chunks) };
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function plainRedirect(from: URL, to: URL): Fault {
  return new Fault("redirect-refused", {
    message: `${from.host} redirects to plain http on another host, ${to.host}`,
    hint: "set forward_url to where the upstream really is, by https",
  });
}
