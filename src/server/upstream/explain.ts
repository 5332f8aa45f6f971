import { Fault } from "../../fault/fault.ts";
import { quote } from "../../fault/quote.ts";
import { printUrl, printWay } from "../../network/hop.ts";
import { connectionTrouble } from "../../network/trouble.ts";
import type { Route } from "../../route/route.ts";
import { connectMs, wholeMs } from "./deadlines.ts";

/** Why an upstream was not heard, in one sentence. */
export function explainUpstream(error: unknown, { url, route }: { readonly url: URL; readonly route: Route }): Fault {
  if (error instanceof Fault) return error;
  if (!(error instanceof Error)) throw error;
  return new Fault("channel-unreachable", {
    message: `${printUrl(url)} cannot be asked ${printWay({ route })}: ${wordsFor(error, route.kind === "proxy" ? route.proxy.host : url.hostname)}`,
    hint: "it is asked again by itself",
    cause: error,
  });
}

function wordsFor(error: Error & { readonly code?: string }, host: string): string {
  if (error.name === "TimeoutError") return `no whole answer within ${wholeMs / 1000} s`;
  switch (error.code) {
    case "UND_ERR_CONNECT_TIMEOUT":
      return `no connection within ${connectMs / 1000} s`;
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
      return `no whole answer within ${wholeMs / 1000} s`;
    case "UND_ERR_HEADERS_OVERFLOW":
      return "it answers with more headers than any version server sends";
    case "UND_ERR_SOCKET":
      return "the connection was closed before the answer was complete";
    default:
      break;
  }
  if (/^(?:UND_|HPE_|ERR_|CERT_|DEPTH_|SELF_|UNABLE_)/.test(error.code ?? "")) {
    return `${quote(error.message, longestWords)} (${String(error.code)})`;
  }
  return error.code === undefined && error.message !== ""
    ? quote(error.message, longestWords)
    : connectionTrouble(error, host).words;
}

const longestWords = 200;
