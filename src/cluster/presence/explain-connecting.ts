import { isClusterFault } from "../../rules/fault/tell-fault.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { clusterFaultTable, type ClusterFaultCode } from "../../rules/fault/cluster-table.ts";
import { whyEnded } from "../api/why-ended.ts";
import { certificateTrouble, isTlsFailure } from "../../machine/network/explain-tls.ts";
import { Late } from "../../machine/network/failed.ts";
import { printWay } from "../../machine/network/hop.ts";
import { connectionTrouble, isNetworkFailure } from "../../machine/network/trouble.ts";
import { environmentFileOf } from "../../machine/network/what-to-type.ts";
import type { Route } from "../../rules/route/route.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";

type Way = { readonly address: HostPort; readonly route: Route };

/** Explains why no auth service was found at an address. No request was sent. */
export function explainConnecting(thrown: unknown, way: Way): Fault {
  if (thrown instanceof Fault) return thrown.code === "tls-untrusted" ? proxyNotTrusted(thrown) : thrown;
  const name = printHostPort(way.address);
  const noFirewall = `check that no firewall drops the packets to ${name}`;
  if (thrown instanceof Late) {
    const words = `it has not accepted the connection after ${Math.ceil(thrown.afterMs / 1000)} s`;
    return unreachable({ words, hint: noFirewall }, way, undefined);
  }
  if (whyEnded(thrown) === "TimeoutError") {
    const words = "it took the connection, and has not come to the end of the TLS handshake in time";
    return unreachable({ words, hint: "`systemctl status svc` on the auth host" }, way, undefined);
  }
  if (!isNetworkFailure(thrown)) throw thrown;
  if (!isTlsFailure(thrown)) return unreachable(connectionTrouble(thrown, way.address.host), way, thrown);
  const { words } = certificateTrouble(thrown, {
    address: name,
    setting: "--auth-server",
    route: way.route,
    stores: [],
    certificate: undefined,
  });
  return new Fault("auth-mismatch", {
    message: `what answers at ${name}, ${printWay(way)}, is no auth service: ${words}`,
    hint: "auth listens on port 3025, unless auth_service.listen_addr in /etc/svc.yaml on its host says another",
    cause: thrown,
  });
}

/** Explains that an HTTP proxy is not trusted. Does not name `ca_file`, a setting of the updater: svc trusts only the host's certificates. */
function proxyNotTrusted(fault: Fault): Fault {
  const install = "`sudo cp FILE /usr/local/share/ca-certificates/proxy.crt && sudo update-ca-certificates`";
  return new Fault(fault.code, {
    message: fault.message,
    hint: `if the proxy's authority is your own, let this host trust it, on Debian ${install}; if not, something in between answers for the proxy`,
    cause: fault,
  });
}

type Told = { readonly words: string; readonly hint: string };

function unreachable({ words, hint }: Told, way: Way, cause: unknown): Fault {
  const file = environmentFileOf(way.route);
  const otherwise = way.route.kind === "direct" ? `; if this host needs a proxy, set HTTPS_PROXY in ${file}` : "";
  return new Fault("auth-unreachable", {
    message: `auth at ${printHostPort(way.address)} cannot be reached ${printWay(way)}: ${words}`,
    hint: `${hint}${otherwise}`,
    cause,
  });
}

export type Missed = { readonly address: HostPort; readonly fault: Fault };

/** These faults need a person, so they come before those that may be over in a minute. */
const graver: readonly ClusterFaultCode[] = ["auth-mismatch", "clock-differs"];

/** Makes one fault for all addresses, with the reason of each. */
export function noneReached(missed: readonly Missed[]): Fault {
  const gravest = graver.map((code) => missed.find(({ fault }) => fault.code === code)).find((one) => one !== undefined);
  const told = (gravest ?? missed[0])?.fault;
  if (told === undefined) throw new Error("there is no address");
  if (missed.length === 1) return told;
  return new Fault(isClusterFault(told) ? told.code : "auth-unreachable", {
    message: `none of ${missed.length} addresses leads to auth: ${missed.map(({ fault }) => fault.message).join("; ")}`,
    hint: told.hint,
    cause: told,
  });
}

/** Explains a call that failed after it was sent. */
export function explainAsking(thrown: unknown, whom: string): Error {
  if (thrown instanceof Fault) return thrown;
  const why = whyEnded(thrown);
  if (why === "TimeoutError") return cutOff(`${whom} did not answer in time`, thrown);
  if (why === "AbortError") return cutOff(`it was stopped before ${whom} had answered`, thrown);
  if (!isNetworkFailure(thrown)) return thrown instanceof Error ? thrown : new Error(String(thrown));
  if (thrown.code?.startsWith("HPE_") === true) {
    return new Fault("auth-mismatch", {
      message: `${whom} does not answer in proper HTTP (${thrown.code})`,
      hint: clusterFaultTable["auth-mismatch"].remedy,
      cause: thrown,
    });
  }
  const { words } = connectionTrouble(thrown, whom);
  return cutOff(`the connection to ${whom} broke off before it had answered: ${words}`, thrown);
}

function cutOff(message: string, cause: unknown): Fault {
  return new Fault("auth-unreachable", {
    message: `${message}; whether auth did it is not known`,
    hint: "ask again: by the same key auth gives the same answer",
    cause,
  });
}
