import type { IncomingMessage, ServerResponse } from "node:http";
import { siteOf } from "../../machine/listening/connections.ts";
import { AtOnce, type AtOnceLimits } from "./at-once.ts";
import type { Meter } from "./meter.ts";
import type { AnswerCall, Relay, Visited } from "./relay.ts";

type VisitLimits = AtOnceLimits & { readonly waitMs: number };

/** Auth asks the identity provider meanwhile. */
export const visitLimits: VisitLimits = { atOnce: 64, atOnceOfOne: 16, waitMs: 30_000 };

/** The browser's pages of a sign-in: where it begins, and where an identity provider sends it back to. */
const paths = /^\/(?:web\/sign-in\/|v1\/webapi\/(?:github|oidc)\/callback(?:\?|$))/;
const longestTarget = 6 * 1024;

/** `__Host-`: no other name or subdomain of the proxy can set it. */
const cookieName = "__Host-svc-sign-in";
const cookieSeconds = 600;

export function isVisit({ url = "" }: Pick<IncomingMessage, "url">): boolean {
  return paths.test(url);
}

/** Hands browsers' requests on to auth, which makes the pages; this proxy adds the headers that forbid scripts, frames and caches. */
export function visitFor(relay: Pick<Relay, "visit">, { meter }: { readonly meter: Pick<Meter, "relayed"> }): AnswerCall {
  const visits = new AtOnce(visitLimits);
  return async (request, response) => {
    meter.relayed(await answer(request, response, { relay, visits }));
  };
}

type Ports = { readonly relay: Pick<Relay, "visit">; readonly visits: AtOnce };

async function answer(request: IncomingMessage, response: ServerResponse, { relay, visits }: Ports): Promise<number> {
  if (request.method !== "GET") return say(plain(405, "This page can only be read."), response);
  const { url = "", socket } = request;
  if (url.length > longestTarget) return say(plain(414, "The address is too long."), response);
  const place = visits.take(siteOf(socket.remoteAddress), () => response.destroy());
  if (place === undefined) return say(plain(503, "Too many people sign in at this moment: try again."), response);
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  const cookie = cookieIn(request.headers.cookie ?? "");
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  try {
    return say(await relay.visit({ path, query, cookie, address, signal: AbortSignal.timeout(visitLimits.waitMs) }), response);
  } catch {
    // The proxy's log says why; a stranger is told nothing.
    return say(plain(503, "The proxy cannot reach the cluster's auth service at present: try again."), response);
  } finally {
    place.giveBack();
  }
}

function cookieIn(header: string): string {
  const values = header
    .split(/; */)
    .flatMap((pair) => (pair.startsWith(`${cookieName}=`) ? [pair.slice(cookieName.length + 1)] : []));
  const [only = "", ...more] = values;
  return more.length === 0 && /^[0-9a-f]{64}$/.test(only) ? only : "";
}

function plain(status: number, page: string): Visited {
  return { status, location: "", cookie: "", page: `<!doctype html><title>Sign in</title><p>${page}</p>\n` };
}

function say({ status, location, cookie, page }: Visited, response: ServerResponse): number {
  if (response.destroyed) return 0;
  const isAway = status === 302 && URL.parse(location)?.protocol === "https:";
  const body = isAway ? "" : page;
  response.shouldKeepAlive = false;
  response.writeHead(isAway || status !== 302 ? status : 502, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(isAway ? { location } : {}),
    ...(/^[0-9a-f]{64}$/.test(cookie)
      ? { "set-cookie": `${cookieName}=${cookie}; Path=/; Max-Age=${cookieSeconds}; Secure; HttpOnly; SameSite=Lax` }
      : {}),
  });
  response.end(body);
  return status;
}
