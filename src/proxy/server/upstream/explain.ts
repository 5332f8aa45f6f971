import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { explainTls, isTlsFailure } from "../../../machine/network/explain-tls.ts";
import { notHttp } from "../../../machine/network/explain.ts";
import type { RoutedUrl } from "../../../machine/network/follow.ts";
import { printUrl, printWay } from "../../../machine/network/hop.ts";
import { connectionTrouble, type NetworkError } from "../../../machine/network/trouble.ts";
import { connectMs, wholeMs } from "./deadlines.ts";

type Asking = RoutedUrl & { readonly stores: readonly string[] };

/** Explains a failed request to an upstream in the same words as the updater does. Also explains undici's own errors. */
export function explainUpstream(error: unknown, { url, route, stores }: Asking): Fault {
  if (error instanceof Fault) return error;
  if (!(error instanceof Error)) throw error;
  const trouble: NetworkError = error;
  if (trouble.code === "UND_ERR_HEADERS_OVERFLOW" || error.name === "HTTPParserError") return notHttp(error, { url, route });
  if (url.protocol === "https:" && isTlsFailure(trouble)) return explainTls(trouble, url, { stores, certificate: undefined });
  return new Fault("channel-unreachable", {
    message: `${printUrl(url)} cannot be asked ${printWay({ route })}: ${wordsFor(error, route.kind === "proxy" ? route.proxy.host : url.hostname)}`,
    hint: "it is asked again by itself",
    cause: error,
  });
}

function wordsFor(error: NetworkError, host: string): string {
  const { name, message, code = "" } = error;
  if (name === "TimeoutError" || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return `no whole answer within ${wholeMs / 1000} s`;
  }
  if (code === "UND_ERR_CONNECT_TIMEOUT") return `no connection within ${connectMs / 1000} s`;
  if (code === "UND_ERR_SOCKET") return "the connection was closed before the answer was complete";
  if (undicisOwn.test(code) || isTlsFailure(error)) return `${quote(message, longestWords)} (${code})`;
  return code === "" && message !== "" ? quote(message, longestWords) : connectionTrouble(error, host).words;
}

/** An aborted request's code is a number. */
const undicisOwn = /^UND_/;
const longestWords = 200;
