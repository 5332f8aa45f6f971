import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { explainProxy, explainProxyStatus } from "./explain-proxy.ts";
import { explainTimeout } from "./explain-timeout.ts";
import { explainTls, isTlsFailure } from "./explain-tls.ts";
import { Late, TunnelRefused } from "./failed.ts";
import { printServer, printUrl, printWay, type HopExchange, type Hop } from "./hop.ts";
import { connectionTrouble, isNetworkFailure } from "./trouble.ts";
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
  return unreachable(error, { hop, seen });
}

function unreachable(error: Error & { readonly code?: string }, { hop, seen }: HopExchange): Fault {
  const { words, hint } = connectionTrouble(error, hop.url.hostname);
  const when = seen.phase === "reading" ? "the connection broke off in the middle of the answer: " : "";
  return new Fault("channel-unreachable", {
    message: `${printUrl(hop.url)} cannot be reached ${printWay(hop)}: ${when}${words}`,
    hint: ifNotReached(hint, { hop, seen }),
    cause: error,
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
