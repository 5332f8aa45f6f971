import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { printProxy } from "../../rules/route/proxy.ts";
import { certificateTrouble, isTlsFailure } from "./explain-tls.ts";
import type { ProxyAnswer } from "./failed.ts";
import { printServer, printUrl, type HopExchange, type Hop } from "./hop.ts";
import { connectionTrouble, type NetworkError } from "./trouble.ts";
import { askByHand, environmentFileOf, whereSet } from "./what-to-type.ts";

export function explainProxyStatus(hop: Pick<Hop, "url" | "route">, answer: ProxyAnswer): Fault {
  const { status } = answer;
  if (status === undefined || !(status >= 100 && status <= 599)) return garbage(hop, undefined);
  const said = quote(`${status} ${withoutPassword(answer.reason, hop)}`);
  const message = `the proxy ${nameOf(hop)} answers CONNECT ${printServer(hop.url)} with ${said}`;
  if (status === 407) return credentialsWanted(hop, message);
  if (status >= 500) {
    const hint = `look at the proxy's log: it cannot reach ${printServer(hop.url)}, or not resolve its name; from here ${askByHand(hop)}`;
    return new Fault("proxy-unreachable", { message, hint });
  }
  const { hostname } = hop.url;
  const environmentFile = environmentFileOf(hop.route);
  const hint = `let the proxy allow CONNECT to ${printServer(hop.url)} from this host; or, if that is reached directly, add ${hostname} to NO_PROXY in ${environmentFile} (where it does not exist yet: \`echo 'NO_PROXY=${hostname}' | sudo tee -a ${environmentFile}\`)`;
  return new Fault("proxy-refused", { message, hint });
}

/** Removes the password, because a proxy may repeat what it was sent. */
function withoutPassword(reason: string, { route }: Pick<Hop, "route">): string {
  const password = route.kind === "proxy" ? route.proxy.credentials?.password : undefined;
  return password === undefined || password === "" ? reason : reason.replaceAll(password, "***");
}

/** The fault for 407, which only a proxy gives that was asked for an http URL. */
export function explainProxyCredentials(hop: Pick<Hop, "url" | "route">): Fault {
  return credentialsWanted(hop, `the proxy ${nameOf(hop)} answers 407 to the question for ${printUrl(hop.url)}`);
}

/** The fault if the connection to the proxy failed before the tunnel was open. */
export function explainProxy(error: NetworkError, { hop, seen }: HopExchange): Fault {
  if (isTlsFailure(error)) {
    const { words, hint } = certificateTrouble(error, {
      address: hop.route.kind === "proxy" ? printProxy(hop.route.proxy).replace(/^.*\/\//, "") : "",
      setting: hop.route.rule,
      route: hop.route,
      stores: hop.trust?.stores ?? [],
      certificate: seen.certificate,
    });
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
    hint: `${trouble.hint}; ${whereSet(hop.route.rule, hop.route)}`,
    cause: error,
  });
}

function garbage(hop: Pick<Hop, "route">, cause: Error | undefined): Fault {
  return new Fault("proxy-refused", {
    message: `what answers at the proxy's address ${nameOf(hop)} does not speak HTTP`,
    hint: `check host and port of the proxy; ${whereSet(hop.route.rule, hop.route)}`,
    cause,
  });
}

function credentialsWanted({ route }: Pick<Hop, "route">, message: string): Fault {
  const environmentFile = environmentFileOf(route);
  const isGiven = route.kind === "proxy" && route.proxy.credentials !== undefined;
  const what = isGiven ? "correct user and password" : "set user and password, before the host and an @";
  const line = route.kind === "proxy" ? `${route.rule}=${printProxy(route.proxy).replace("//", "//USER:PASSWORD@")}` : "";
  return new Fault("proxy-refused", {
    message: `${message}, ${isGiven ? "although" : "and no"} credentials are set`,
    hint: `${what} (special characters percent-encoded) in ${environmentFile}: \`sudoedit ${environmentFile}\`, the line ${line}`,
  });
}

/** The proxy without its password, and the rule that chose it. */
function nameOf(hop: Pick<Hop, "route">): string {
  return hop.route.kind === "proxy" ? `${printProxy(hop.route.proxy)} (${quote(hop.route.rule)})` : "";
}
