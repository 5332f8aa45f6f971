import type { LookupFunction } from "node:net";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { quote } from "../../rules/text/quote.ts";
import { printProxy } from "../../rules/route/proxy.ts";
import type { Route } from "../../rules/route/route.ts";
import type { Trust } from "./trust.ts";

/** How far an exchange has got. "tunnelling" lasts until the proxy lets us speak to the server. */
export type Phase = "tunnelling" | "resolving" | "connecting" | "waiting" | "reading";

/** One exchange with one server: its request, its route and its deadlines. */
export type Hop = {
  readonly url: URL;
  /** GET by default. */
  readonly method?: "HEAD" | undefined;
  /** Added to the usual headers, or in place of them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly route: Route;
  /** Undefined if neither the server nor the proxy speaks TLS. */
  readonly trust: Trust | undefined;
  readonly longestBody: number;
  readonly connectMs: number;
  readonly wholeMs: number;
  readonly signal: AbortSignal | undefined;
  readonly lookup: LookupFunction | undefined;
  /** Called when the exchange begins, with a record that fills as it goes on. */
  readonly watch: ((exchange: HopExchange) => void) | undefined;
};

/** The known facts of a hop, for the report of its failure. */
export type SeenOnWay = {
  phase: Phase;
  /** The addresses of the server's name, if it is resolved here. */
  readonly addresses: string[];
  /** The server's certificate and TLS version, if the handshake came that far. */
  certificate: DetailedPeerCertificate | undefined;
  protocol: string | undefined;
  status: number | undefined;
};

export type HopExchange = { readonly hop: Hop; readonly seen: SeenOnWay };

/**
 * How long to try one of several addresses. Node's 250 ms are too short for a far continent or a slow VPN. Three addresses still fit into the connect
 * deadline.
 */
export const addressAttemptMs = 2500;

/** Reads the certificate on this event, because Node then checks it and closes a connection that fails. */
export function noteShown(socket: TLSSocket, seen: Pick<SeenOnWay, "certificate" | "protocol">): void {
  // Does not use Node 24's getPeerX509Certificate, which would take the certificate away from that check.
  socket.prependOnceListener("secure", () => {
    seen.certificate = socket.getPeerCertificate(true);
    seen.protocol = socket.getProtocol() ?? undefined;
  });
}

/** A redirect may lead to a URL of any length, which no message should hold. */
const longestUrl = 200;

export function printUrl(url: URL): string {
  return quote(url.href, longestUrl);
}

/** The server of a URL, always with its port, as firewalls and NO_PROXY take it. */
export function printServer(url: URL): string {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return `${url.hostname}:${port}`;
}

/** Prints the route and the rule that chose it, which shows a wrong NO_PROXY. */
export function printWay({ route }: { readonly route: Route }): string {
  return route.kind === "direct"
    ? `directly (${quote(route.rule)})`
    : `through the proxy ${printProxy(route.proxy)} (${quote(route.rule)})`;
}
