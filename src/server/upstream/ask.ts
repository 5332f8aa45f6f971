import type { Dispatcher } from "undici";
import { parseCritical, parseServed } from "../../channel/answer.ts";
import { Fault } from "../../fault/fault.ts";
import type { Body } from "../../network/exchange.ts";
import { bodyOf, judgeStatus, notAVersion } from "../../network/judge.ts";
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
  /** Why it is not known whether the version is critical; then it is as before, or not. */
  readonly uncertain: Fault | undefined;
};

/** Both questions of a channel. Whatever keeps the version from being known is a Fault. */
export async function askUpstream(url: Endpoint, before: UpstreamAnswer | undefined, ask: AskUpstream): Promise<Asked> {
  const at = ask.now();
  const response = await question(url, "version", ask);
  judgeStatus(response);
  const served = parseServed(bodyOf(response));
  if (served.kind === "refused") throw notAVersion(response, served.found);
  if (served.kind === "none") return { answer: { served, isCritical: false, at }, uncertain: undefined };
  try {
    return { answer: { served, isCritical: await isCritical(url, ask), at }, uncertain: undefined };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const isSame = before?.served.kind === "version" && before.served.version === served.version;
    return { answer: { served, isCritical: isSame && before.isCritical, at }, uncertain: thrown };
  }
}

async function isCritical(url: Endpoint, ask: AskUpstream): Promise<boolean> {
  const response = await question(url, "critical", ask);
  if (response.status === 404) return false;
  judgeStatus(response);
  const critical = parseCritical(bodyOf(response));
  if (critical.kind === "refused") throw notAVersion(response, critical.found);
  return critical.kind === "critical";
}

/** Every hop of it takes the route of its own URL, as the updater's do. */
async function question(base: Endpoint, about: Question, ask: AskUpstream): Promise<Response> {
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
    return { response: { status, body, retryAfter, date: one(answer.headers["date"]), url, route }, location };
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
