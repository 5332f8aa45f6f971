import { Fault } from "../../rules/fault/fault.ts";
import { printProxy } from "../../rules/route/proxy.ts";
import { printServer, printUrl, printWay, type HopExchange, type Hop, type SeenOnWay } from "./hop.ts";
import { resolving } from "./trouble.ts";
import { askByHand, ifNotReached } from "./what-to-type.ts";

/** Explains a passed deadline by the phase that it interrupted. */
export function explainTimeout(hop: Hop, seen: SeenOnWay, afterMs: number): Fault {
  const after = `after ${Math.ceil(afterMs / 1000)} s`;
  const server = printServer(hop.url);
  const noFirewall = `check that no firewall drops the packets to ${server}`;
  const unreached = (what: string, hint: string): Fault => unreachable({ hop, seen }, what, hint);
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

function unreachable(exchange: HopExchange, what: string, hint: string): Fault {
  const { hop } = exchange;
  return new Fault("channel-unreachable", {
    message: `${printUrl(hop.url)} cannot be reached ${printWay(hop)}: ${what}`,
    hint: ifNotReached(hint, exchange),
  });
}
