import { Fault } from "../fault/fault.ts";
import { printProxy } from "../route/proxy.ts";
import { printServer, printUrl, printWay, type Hop, type Seen } from "./hop.ts";

/** A deadline that passed, told by what was in hand when it did. */
export function explainTimeout(hop: Hop, seen: Seen, afterMs: number): Fault {
  const after = `after ${Math.ceil(afterMs / 1000)} s`;
  switch (seen.phase) {
    case "tunnelling":
      return viaProxy(hop, `has not answered ${after}`);
    case "connecting":
      return hop.route.kind === "proxy"
        ? viaProxy(hop, `opened the tunnel to ${printServer(hop.url)}, and ${after} nothing has come through it`)
        : unreachable(hop, `${printServer(hop.url)} has not accepted the connection ${after}`);
    case "waiting":
      return unreachable(hop, `${printServer(hop.url)} took the question and has not answered ${after}`);
    case "reading":
      return unreachable(hop, `the answer has begun and is not complete ${after}`);
  }
}

function viaProxy(hop: Hop, what: string): Fault {
  const proxy = hop.route.kind === "proxy" ? printProxy(hop.route.proxy) : "";
  return new Fault("proxy-unreachable", {
    message: `the proxy ${proxy} (${hop.route.rule}) ${what}`,
    hint: `check that ${proxy} is an HTTP CONNECT proxy and may reach ${printServer(hop.url)}: \`curl -v -x ${proxy} ${printUrl(hop.url)}\``,
  });
}

function unreachable(hop: Hop, what: string): Fault {
  const proxyHint = hop.route.kind === "direct" ? "; if this host needs a proxy, set HTTPS_PROXY in /etc/default/svc" : "";
  return new Fault("channel-unreachable", {
    message: `${printUrl(hop.url)} cannot be reached ${printWay(hop)}: ${what}`,
    hint: `check that no firewall drops the packets to ${printServer(hop.url)}${proxyHint}`,
  });
}
