import { Fault } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import { printProxy } from "../route/proxy.ts";
import { certificateTrouble, isTlsFailure } from "./explain-tls.ts";
import { printServer, printUrl, type Failed, type Hop } from "./hop.ts";
import { connectionTrouble, type NetworkError } from "./trouble.ts";

/** The proxy answered CONNECT with something else than 200. */
export function explainProxyStatus(hop: Hop, answer: { readonly status: number | undefined; readonly reason: string }): Fault {
  const { status } = answer;
  if (status === undefined || !(status >= 100 && status <= 599)) return garbage(hop, undefined);
  const said = quote(`${status} ${answer.reason}`);
  const message = `the proxy ${nameOf(hop)} answers CONNECT ${printServer(hop.url)} with ${said}`;
  if (status === 407) return credentialsWanted(hop, message);
  if (status >= 500) {
    const hint = `look at the proxy's log: it cannot reach ${printServer(hop.url)}, or not resolve its name`;
    return new Fault("proxy-unreachable", { message, hint });
  }
  const hint = `let the proxy allow CONNECT to ${printServer(hop.url)} from this host, or name the server in NO_PROXY if it is reached directly`;
  return new Fault("proxy-refused", { message, hint });
}

/** A proxy that is asked for an http URL says 407 itself; no other server does. */
export function explainProxyCredentials(hop: Pick<Hop, "url" | "route">): Fault {
  return credentialsWanted(hop, `the proxy ${nameOf(hop)} answers 407 to the question for ${printUrl(hop.url)}`);
}

/** The connection to the proxy failed before it let us through. */
export function explainProxy(error: NetworkError, { hop, seen }: Failed): Fault {
  if (isTlsFailure(error)) {
    const { words, hint } = certificateTrouble(error, { stores: hop.trust?.stores ?? [], certificate: seen.certificate });
    return new Fault("tls-untrusted", { message: `the proxy ${nameOf(hop)} is not trusted: ${words}`, hint, cause: error });
  }
  if (error.code === undefined && !/ended before/.test(error.message)) return garbage(hop, error);
  const host = hop.route.kind === "proxy" ? hop.route.proxy.host : "";
  const trouble =
    error.code === undefined
      ? {
          words: "it closed the connection instead of answering",
          hint: `check that it is an HTTP CONNECT proxy, and look at its log`,
        }
      : connectionTrouble(error, host);
  return new Fault("proxy-unreachable", {
    message: `the proxy ${nameOf(hop)} cannot be reached: ${trouble.words}`,
    hint: `${trouble.hint}; the proxy is set in /etc/default/svc`,
    cause: error,
  });
}

function garbage(hop: Hop, cause: Error | undefined): Fault {
  return new Fault("proxy-refused", {
    message: `what answers at the proxy's address ${nameOf(hop)} does not speak HTTP`,
    hint: "check host and port of the proxy in /etc/default/svc",
    cause,
  });
}

function credentialsWanted(hop: Pick<Hop, "url" | "route">, message: string): Fault {
  const isGiven = hop.route.kind === "proxy" && hop.route.proxy.credentials !== undefined;
  const hint = isGiven
    ? "correct user and password in the proxy variable in /etc/default/svc (special characters percent-encoded)"
    : "put user and password into the proxy variable in /etc/default/svc, before the host: USER:PASSWORD and an @";
  return new Fault("proxy-refused", { message: `${message}, ${isGiven ? "although" : "and no"} credentials are set`, hint });
}

/** Without its password, and with the rule that chose it. */
function nameOf(hop: Pick<Hop, "route">): string {
  return hop.route.kind === "proxy" ? `${printProxy(hop.route.proxy)} (${quote(hop.route.rule)})` : "";
}
