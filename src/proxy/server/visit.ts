import type { IncomingMessage, ServerResponse } from "node:http";
import { siteOf } from "../../machine/listening/connections.ts";
import { AtOnce, type AtOnceLimits, type Taken } from "./at-once.ts";
import type { Meter } from "./meter.ts";
import { bodyOf, type AnswerCall, type Relay, type Visited } from "./relay.ts";

type VisitLimits = AtOnceLimits & { readonly waitMs: number };

/** As long as auth may need to ask the identity provider. */
export const visitLimits: VisitLimits = { atOnce: 64, atOnceOfOne: 16, waitMs: 30_000 };

/** The browser's pages of a sign-in: where it begins, and where an identity provider sends it back to. */
const paths = /^\/(?:web\/sign-in\/|v1\/webapi\/(?:github|oidc)\/callback(?:\?|$))/;
/** SAML's answer comes in a form. */
const formPaths = /^\/v1\/webapi\/saml\/(?:callback|acs(?:\/[^/?]{1,128})?)$/;
const invitationPaths = /^\/web\/invite\//;
const longestTarget = 6 * 1024;
const longestForm = 512 * 1024;
/** All forms together, including incomplete ones. */
const formBytesAtOnce = 32 * 1024 * 1024;

/** With the prefix `__Host-`, no other host or subdomain can set this cookie. */
const cookieName = "__Host-svc-sign-in";
const cookieSeconds = 600;

export function isVisit({ url = "" }: Pick<IncomingMessage, "url">): boolean {
  return paths.test(url) || formPaths.test(url) || invitationPaths.test(url);
}

export function isForm({ method, url = "" }: Pick<IncomingMessage, "method" | "url">): boolean {
  return method === "POST" && formPaths.test(url);
}

/** Hands browsers' requests on to auth, which makes the pages; this proxy adds the headers that forbid scripts, frames and caches. */
export function visitFor(relay: Pick<Relay, "visit">, { meter }: { readonly meter: Pick<Meter, "relayed"> }): AnswerCall {
  const visits = new AtOnce(visitLimits);
  const bytes = new AtOnce({ atOnce: formBytesAtOnce, atOnceOfOne: formBytesAtOnce / 4 });
  return async (request, response) => {
    meter.relayed(await answer(request, response, { relay, visits, bytes }));
  };
}

type Ports = { readonly relay: Pick<Relay, "visit">; readonly visits: AtOnce; readonly bytes: AtOnce };

async function answer(request: IncomingMessage, response: ServerResponse, { relay, visits, bytes }: Ports): Promise<number> {
  const { url = "", socket } = request;
  const isSent = formPaths.test(url);
  if (request.method !== (isSent ? "POST" : "GET")) {
    return say(plain(405, isSent ? "Begin again: tsh login" : "This page can only be read."), response);
  }
  if (invitationPaths.test(url)) return say(invitation, response);
  if (url.length > longestTarget) return say(plain(414, "The address is too long."), response);
  const from = siteOf(socket.remoteAddress);
  const lose = (): void => void response.destroy();
  const [path = "", asked = ""] = url.split(/\?(.*)/s);
  const cookie = cookieIn(request.headers.cookie ?? "");
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const held = isSent ? bytes.take(from, lose) : undefined;
  let place: Taken | undefined;
  try {
    const sent = !isSent ? Buffer.from(asked, "latin1") : held === undefined ? undefined : await formIn(request, held);
    if (sent === "no-form") return say(plain(413, "This form is no answer of an identity provider."), response);
    // Takes a place only after the form has come, so that a browser that sends slowly takes no place from others.
    place = sent === undefined ? undefined : visits.take(from, lose);
    if (sent === undefined || place === undefined) {
      return say(plain(503, "Too many people sign in at this moment: try again."), response);
    }
    const query = sent.toString("latin1");
    return say(await relay.visit({ path, query, cookie, address, signal: AbortSignal.timeout(visitLimits.waitMs) }), response);
  } catch {
    // The proxy's log has the reason, which a stranger must not learn.
    return say(plain(503, "The proxy cannot reach the cluster's auth service at present: try again."), response);
  } finally {
    place?.giveBack();
    held?.giveBack();
  }
}

/** Reads the form of a request. Undefined if there is no room for it. */
async function formIn(request: IncomingMessage, held: Taken): Promise<Buffer | "no-form" | undefined> {
  if (!/^application\/x-www-form-urlencoded *(?:;|$)/i.test(request.headers["content-type"] ?? "")) return "no-form";
  const body = await bodyOf(request, held, longestForm);
  return body === "too-large" ? "no-form" : body === undefined ? undefined : Buffer.from(body);
}

function cookieIn(header: string): string {
  const values = header
    .split(/; */)
    .flatMap((pair) => (pair.startsWith(`${cookieName}=`) ? [pair.slice(cookieName.length + 1)] : []));
  const [only = "", ...more] = values;
  return more.length === 0 && /^[0-9a-f]{64}$/.test(only) ? only : "";
}

/** The page for an invitation's link. The proxy makes it without auth, so it cannot say whether the link is valid. */
const invitation = plain(
  200,
  "This is an invitation to a cluster. Type <code>tsh invite</code> in a terminal, and paste the address of this page when it asks for the link. Give the address to nobody else: it works once.",
);

function plain(status: number, page: string): Visited {
  return { status, location: "", cookie: "", isCrossSite: false, page: `<!doctype html><title>Sign in</title><p>${page}</p>\n` };
}

function say({ status, location, cookie, isCrossSite, page }: Visited, response: ServerResponse): number {
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
      ? {
          "set-cookie": `${cookieName}=${cookie}; Path=/; Max-Age=${cookieSeconds}; Secure; HttpOnly; SameSite=${isCrossSite ? "None" : "Lax"}`,
        }
      : {}),
  });
  response.end(body);
  return status;
}
