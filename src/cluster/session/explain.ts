import { Fault } from "../../rules/fault/fault.ts";
import { whyEnded } from "../api/why-ended.ts";
import { certificateTrouble, isTlsFailure } from "../../machine/network/explain-tls.ts";
import { Late } from "../../machine/network/failed.ts";
import { printWay, type SeenOnWay } from "../../machine/network/hop.ts";
import { connectionTrouble, isNetworkFailure, type NetworkError } from "../../machine/network/trouble.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import type { Route } from "../../rules/route/route.ts";
import { printProxyAddress } from "./proxy-address.ts";
import type { Typed } from "./trust.ts";

type Way = {
  readonly proxy: HostPort;
  readonly typed: Typed;
  readonly whom: string;
  /** Undefined as long as the route is not known. */
  readonly route: Route | undefined;
  /** The proxy's certificate, if the handshake got that far. */
  readonly certificate: SeenOnWay["certificate"];
  readonly stores: () => readonly string[];
};

/** Explains why a call did not reach the cluster's proxy, or why its answer did not come back. */
export function explainProxy(thrown: unknown, way: Way): Error {
  if (thrown instanceof Fault) return onTheWay(thrown, way);
  const { whom, route } = way;
  if (thrown instanceof Late) {
    return unreachable(`${whom} has not accepted the connection after ${Math.ceil(thrown.afterMs / 1000)} s`, {
      hint: `check that no firewall drops the packets to ${printHostPort(way.proxy)}; ${needsProxy}`,
      cause: thrown,
    });
  }
  const reason = whyEnded(thrown);
  const between = route?.kind === "proxy" ? ` ${printWay({ route })}` : "";
  if (reason === "TimeoutError") {
    const hint = between === "" ? "try again" : `try again; ${seeToVariable(way)}`;
    return unreachable(`${whom} did not answer in time${between}`, { hint, cause: thrown });
  }
  if (reason === "AbortError") {
    return unreachable(`it was stopped before ${whom} had answered; whether auth did it is not known`, {
      hint: "look before you type it again",
      cause: thrown,
    });
  }
  if (!isNetworkFailure(thrown)) return thrown instanceof Error ? thrown : new Error(String(thrown));
  if (isTlsFailure(thrown)) return notTrusted(thrown, way);
  if (thrown.code?.startsWith("HPE_") === true) {
    return new Fault("auth-mismatch", {
      message: `${whom} does not answer in proper HTTP (${thrown.code})`,
      hint: rightAddress,
      cause: thrown,
    });
  }
  const { words, hint } = connectionTrouble(thrown, way.proxy.host);
  const otherwise = between === "" ? needsProxy : seeToVariable(way);
  return unreachable(`${whom} cannot be reached${between}: ${words}`, { hint: `${hint}; ${otherwise}`, cause: thrown });
}

/** The fault for a server that does not answer as a cluster's proxy does. */
export function notThisCluster(whom: string, status: number): Fault {
  return new Fault("auth-mismatch", {
    message: `${whom} answers with HTTP status ${status}, not as a proxy through which people sign in`,
    hint: rightAddress,
  });
}

const rightAddress =
  "is it the proxy's public address, with its port? The cluster's administrator knows: `public_addr` in /etc/svc.yaml there";
const needsProxy = "if this network needs an HTTP proxy, set HTTPS_PROXY in your environment";

function seeToVariable(way: Way): string {
  return `see to HTTPS_PROXY in your environment; ${withoutIt(way)}`;
}

function withoutIt({ proxy }: Way): string {
  return `or reach the cluster without it: \`export NO_PROXY=${printHostPort(proxy)}\``;
}

/** The fault of an HTTP proxy between: in its own words, and with the place where people set it. Hosts set it elsewhere. */
function onTheWay(fault: Fault, way: Way): Error {
  const { proxy, typed } = way;
  const { code, message } = fault;
  const direct = withoutIt(way);
  const hints: Partial<Record<Fault["code"], string>> = {
    "proxy-invalid": `correct it in your environment, http://HOST:PORT with user and password before the host where it asks for them; ${direct}`,
    "proxy-refused": `see to HTTPS_PROXY in your environment, or let that proxy allow it; ${direct}`,
    "proxy-unreachable": seeToVariable(way),
  };
  const hint = hints[code];
  if (hint !== undefined) return new Fault(code, { message, hint, cause: fault });
  if (code === "tls-untrusted")
    return new Fault("certificate-refused", { message, hint: `${authorityOf(proxy, typed)}; ${direct}`, cause: fault });
  return fault;
}

function authorityOf(proxy: HostPort, typed: Typed): string {
  const towards = typed === "tsh invite" ? "" : ` --proxy=${printProxyAddress(proxy)} --user=NAME`;
  const line = `${typed}${towards} --ca-file=FILE`;
  return `if its authority is your own, name its certificate: \`${line}\`; if not, something in between answers for it: do not type your password there`;
}

function notTrusted(error: NetworkError, { proxy, typed, whom, certificate, stores }: Way): Fault {
  const { words } = certificateTrouble(error, {
    address: printHostPort(proxy),
    setting: "--proxy",
    route: {},
    stores: stores(),
    certificate,
  });
  const { code = "" } = error;
  return new Fault("certificate-refused", {
    message: `${whom} is not trusted, and nothing was sent to it: ${words}`,
    hint: hintOf(code, { proxy, typed }),
    cause: error,
  });
}

function hintOf(code: string, { proxy, typed }: Pick<Way, "proxy" | "typed">): string {
  if (code === "CERT_HAS_EXPIRED")
    return "have the proxy's certificate renewed; or set this computer's clock right, if that is what is wrong";
  if (code === "CERT_NOT_YET_VALID") return "set this computer's clock right: `date -u` shows it";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "name the proxy by a name that its certificate has, or have the certificate issued for this one too";
  if (/^(?:ERR_SSL|EPROTO)/.test(code)) return rightAddress;
  return authorityOf(proxy, typed);
}

function unreachable(message: string, { hint, cause }: { readonly hint: string; readonly cause: unknown }): Fault {
  return new Fault("auth-unreachable", { message, hint, cause });
}
