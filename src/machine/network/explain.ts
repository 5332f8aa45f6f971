import { Fault } from "../../rules/fault/fault.ts";
import { printProxy } from "../../rules/route/proxy.ts";
import { quote } from "../../rules/text/quote.ts";
import { explainProxy, explainProxyStatus } from "./explain-proxy.ts";
import { explainTls, isTlsFailure } from "./explain-tls.ts";
import { Late, TunnelRefused } from "./failed.ts";
import { printServer, printUrl, printWay, type HopExchange, type Hop, type SeenOnWay } from "./hop.ts";
import { connectionTrouble, isNetworkFailure, resolving } from "./trouble.ts";
import { askByHand, ifNotReached } from "./what-to-type.ts";

/** Explains why an exchange ended without an answer. Rethrows an error that is no network failure. */
export function explainFailure(error: unknown, { hop, seen }: HopExchange): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof Late) return explainTimeout(hop, error.seen, error.afterMs);
  if (error instanceof TunnelRefused) return explainProxyStatus(hop, error.answer);
  if (!isNetworkFailure(error)) throw error;
  if (seen.phase === "tunnelling") return explainProxy(error, { hop, seen });
  if (isTlsFailure(error)) {
    return explainTls(error, hop.url, { stores: hop.trust?.stores ?? [], certificate: seen.certificate });
  }
  if (error.code?.startsWith("HPE_") === true) return notHttp(error, hop);
  const { words, hint } = connectionTrouble(error, hop.url.hostname);
  const when = seen.phase === "reading" ? "the connection broke off in the middle of the answer: " : "";
  return unreachable({ hop, seen }, { words: `${when}${words}`, hint, cause: error });
}

/** Explains a passed deadline by the phase that it interrupted. */
function explainTimeout(hop: Hop, seen: SeenOnWay, afterMs: number): Fault {
  const after = `after ${Math.ceil(afterMs / 1000)} s`;
  const server = printServer(hop.url);
  const noFirewall = `check that no firewall drops the packets to ${server}`;
  const unreached = (words: string, hint: string): Fault => unreachable({ hop, seen }, { words, hint });
  switch (seen.phase) {
    case "tunnelling":
      return viaProxy(hop, `has not answered ${after}`);
    case "resolving":
      return unreached(`no name server has answered for the name ${hop.url.hostname} ${after}`, resolving(hop.url.hostname));
    case "connecting":
      return hop.route.kind === "proxy"
        ? viaProxy(hop, `opened the tunnel to ${server}, and ${after} nothing has come through it`)
        : unreached(`${server} has not accepted the connection ${after}`, noFirewall);
    case "waiting":
      return unreached(`${server} took the question and has not answered ${after}`, "ask it by hand");
    case "reading":
      return unreached(`the answer has begun and is not complete ${after}`, "ask it by hand");
  }
}

function viaProxy(hop: Hop, what: string): Fault {
  const proxy = hop.route.kind === "proxy" ? printProxy(hop.route.proxy) : "";
  return new Fault("proxy-unreachable", {
    message: `the proxy ${proxy} (${hop.route.rule}) ${what}`,
    hint: `check that ${proxy} is an HTTP CONNECT proxy and may reach ${printServer(hop.url)}: ${askByHand(hop)}`,
  });
}

type Unreachable = { readonly words: string; readonly hint: string; readonly cause?: Error };

function unreachable(exchange: HopExchange, { words, hint, cause }: Unreachable): Fault {
  const { hop } = exchange;
  return new Fault("channel-unreachable", {
    message: `${printUrl(hop.url)} cannot be reached ${printWay(hop)}: ${words}`,
    hint: ifNotReached(hint, exchange),
    cause,
  });
}

/** The peer does not speak HTTP, or not as a version server does. */
export function notHttp(error: Error & { readonly code?: string }, hop: Pick<Hop, "url" | "route">): Fault {
  const what =
    error.code === "HPE_HEADER_OVERFLOW" || error.code === "UND_ERR_HEADERS_OVERFLOW"
      ? "answers with more headers than any version server sends"
      : "does not answer in proper HTTP";
  return new Fault("answer-invalid", {
    message: `${printUrl(hop.url)} ${what} (${error.code ?? quote(error.message)})`,
    hint: `check that \`endpoint\` names the version server: ${askByHand(hop)} shows what ${printServer(hop.url)} says`,
    cause: error,
  });
}
