import type { LookupFunction } from "node:net";
import type { Beside } from "../channel/headers.ts";
import { Fault } from "../fault/fault.ts";
import { monotonicMs } from "../host/monotonic.ts";
import { isLoopback, targetOf } from "../route/host.ts";
import type { Route } from "../route/route.ts";
import { exchange, type Body, type Exchanged } from "./exchange.ts";
import { printUrl, type Hop } from "./hop.ts";
import { redirectOf, tooManyRedirects } from "./redirect.ts";
import type { Trust } from "./trust.ts";

export type Wanted = {
  readonly url: string;
  /** What is longer is cut there, and not read on. */
  readonly longestBody: number;
};

export type RequestOptions = {
  readonly routeOf: (url: string) => Route;
  /** Called only where TLS is spoken; every call gives the same. */
  readonly trust: () => Trust;
  readonly plainHttp: "loopback-only" | "allowed";
  readonly connectMs?: number | undefined;
  /** For all hops together, to the last byte. */
  readonly wholeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How names are resolved; the system's way unless given. */
  readonly lookup?: LookupFunction | undefined;
  readonly watch?: Hop["watch"];
};

export type Response = Beside & {
  readonly status: number;
  readonly body: Body;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
  /** Where the answer came from, after redirects, and on which way. */
  readonly url: URL;
  readonly route: Route;
};

/** A handshake over the slowest of links takes three seconds; what takes longer than this is not there. */
export const longestConnectMs = 10_000;
/** A body of one kilobyte has no business taking longer. */
export const longestWholeMs = 30_000;
/** http to https, to the right host, to the right path: nobody needs a fourth. */
export const mostRedirects = 3;

/**
 * The one way in which anything of ours speaks HTTP: a GET, bounded in time, size and redirects. Every hop takes the
 * route of its own URL. Statuses are the caller's to judge; whatever keeps an answer from coming is a Fault.
 */
export async function request(wanted: Wanted, options: RequestOptions): Promise<Response> {
  const startedMs = monotonicMs();
  const wholeMs = options.wholeMs ?? longestWholeMs;
  let url = new URL(wanted.url);
  if (!mayBeAsked(url, options)) throw plainEndpoint(url);
  for (let redirects = 0; ; redirects += 1) {
    const route = options.routeOf(url.href);
    const answer: Exchanged = await exchange({
      url,
      route,
      trust: speaksTls(url, route) ? options.trust() : undefined,
      longestBody: wanted.longestBody,
      connectMs: options.connectMs ?? longestConnectMs,
      wholeMs: Math.max(0, wholeMs - (monotonicMs() - startedMs)),
      signal: options.signal,
      lookup: options.lookup,
      watch: options.watch,
    });
    const next = redirectOf(url, answer);
    if (next === undefined) {
      const { location: _, ...response } = answer;
      return { ...response, url, route };
    }
    if (redirects === mostRedirects) throw tooManyRedirects(url, mostRedirects);
    if (!mayBeAsked(next, options)) throw plainRedirect(url, next);
    url = next;
  }
}

function speaksTls(url: URL, route: Route): boolean {
  return url.protocol === "https:" || (route.kind === "proxy" && route.proxy.scheme === "https");
}

/** Anyone on the way can change what plain http carries, so it needs to be asked for where it leaves the host. */
function mayBeAsked(url: URL, options: RequestOptions): boolean {
  if (url.protocol !== "http:" || options.plainHttp === "allowed") return true;
  const target = targetOf(url);
  return target !== undefined && isLoopback(target.host);
}

const allowPlainHttp =
  "if the network in between is trusted, type `echo 'allow_plain_http: true' | sudo tee /etc/svc-upgrade/90-plain-http.yaml`";

function plainEndpoint(url: URL): Fault {
  return new Fault("settings-invalid", {
    message: `the endpoint ${url.origin} is plain http and not on this host, so anyone on the way could change the answer`,
    hint: `set \`endpoint\` to an https URL, or ${allowPlainHttp}`,
  });
}

function plainRedirect(from: URL, to: URL): Fault {
  return new Fault("redirect-refused", {
    message: `${printUrl(from)} redirects to plain http on another host, ${to.host}`,
    hint: `set \`endpoint\` to where the server really is, by https, or ${allowPlainHttp}`,
  });
}
