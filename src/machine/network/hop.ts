import type { LookupFunction } from "node:net";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { quote } from "../../rules/text/quote.ts";
import { printProxy } from "../../rules/route/proxy.ts";
import type { Route } from "../../rules/route/route.ts";
import type { Trust } from "./trust.ts";

/** How far an exchange has come. "tunnelling" is all that happens before the proxy lets us speak to the server. */
export type Phase = "tunnelling" | "resolving" | "connecting" | "waiting" | "reading";

/** One exchange with one server: what is asked, on which way, and how long it may take. */
export type Hop = {
  readonly url: URL;
  /** GET unless given. */
  readonly method?: "HEAD" | undefined;
  /** Beside and above the usual ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly route: Route;
  /** Undefined where neither the server nor the proxy speaks TLS. */
  readonly trust: Trust | undefined;
  readonly longestBody: number;
  readonly connectMs: number;
  readonly wholeMs: number;
  readonly signal: AbortSignal | undefined;
  readonly lookup: LookupFunction | undefined;
  /** Given what is known of the exchange when it begins, and what becomes known shows there. */
  readonly watch: ((exchange: HopExchange) => void) | undefined;
};

/** What is known of a hop so far: all there is to tell when it fails. */
export type SeenOnWay = {
  phase: Phase;
  /** Of the server's name, where it is resolved here. */
  readonly addresses: string[];
  /** The certificate that the server showed, where the handshake came that far, and the version of TLS. */
  certificate: DetailedPeerCertificate | undefined;
  protocol: string | undefined;
  status: number | undefined;
};

export type HopExchange = { readonly hop: Hop; readonly seen: SeenOnWay };

/**
 * Node gives up on an address after 250 ms where a name has several, which a far continent or a slow VPN exceeds.
 * Three addresses still fit into the connect deadline.
 */
export const addressAttemptMs = 2500;

/** Node checks the certificate on this very event and closes what fails: afterwards there is none to look at. */
export function noteShown(socket: TLSSocket, seen: Pick<SeenOnWay, "certificate" | "protocol">): void {
  // Node 24's getPeerX509Certificate would take the certificate away from that check.
  socket.prependOnceListener("secure", () => {
    seen.certificate = socket.getPeerCertificate(true);
    seen.protocol = socket.getProtocol() ?? undefined;
  });
}

/** A redirect may lead to a URL of any length; a message may not hold it. */
const longestUrl = 200;

export function printUrl(url: URL): string {
  return quote(url.href, longestUrl);
}

/** The server of a URL, always with its port: that is what firewalls and NO_PROXY are told. */
export function printServer(url: URL): string {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return `${url.hostname}:${port}`;
}

/** The way that was taken and the rule that chose it: a wrong NO_PROXY shows itself here. */
export function printWay({ route }: { readonly route: Route }): string {
  return route.kind === "direct"
    ? `directly (${quote(route.rule)})`
    : `through the proxy ${printProxy(route.proxy)} (${quote(route.rule)})`;
}
