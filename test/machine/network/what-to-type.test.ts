import { expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { explainProxy, explainProxyStatus } from "../../../src/machine/network/explain-proxy.ts";
import type { HopExchange } from "../../../src/machine/network/hop.ts";
import { ifNotReached, whereSet } from "../../../src/machine/network/what-to-type.ts";
import { routeFor, type ProxyVariables } from "../../../src/rules/route/route.ts";

const url = new URL("https://cluster.example/");

function exchange(variables: ProxyVariables): HopExchange {
  return {
    hop: {
      url,
      route: routeFor(url, variables),
      trust: undefined,
      longestBody: 0,
      connectMs: 0,
      wholeMs: 0,
      signal: undefined,
      lookup: undefined,
      watch: undefined,
    },
    seen: { phase: "connecting", addresses: [], certificate: undefined, protocol: undefined, status: undefined },
  };
}

const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" });

const hints: readonly (readonly [string, (variables: ProxyVariables) => string])[] = [
  ["a tunnel that is refused", (given) => explainProxyStatus(exchange(given).hop, { status: 403, reason: "" }).hint],
  ["wrong credentials", (given) => explainProxyStatus(exchange(given).hop, { status: 407, reason: "" }).hint],
  ["what is no proxy", (given) => explainProxyStatus(exchange(given).hop, { status: undefined, reason: "" }).hint],
  ["a proxy that is down", (given) => explainProxy(refused, exchange(given)).hint],
  ["a direct way that leads nowhere", ({ setIn }) => ifNotReached("look", exchange({ setIn }))],
  ["a variable", (given) => whereSet("HTTPS_PROXY", exchange(given).hop.route)],
  ["a proxy of another scheme", (given) => hintOf(() => routeFor(url, { ...given, HTTPS_PROXY: "socks5://a.example:1" }))],
  ["a proxy on loopback", (given) => hintOf(() => routeFor(url, { ...given, HTTPS_PROXY: "http://localhost:1" }))],
];

function hintOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.hint;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

test.each(hints)("what is to be typed about %s names the file that the variables come from", (_title, hint) => {
  const HTTPS_PROXY = "http://proxy.example:3128";
  expect(hint({ HTTPS_PROXY })).toContain("/etc/default/svc");
  const ofAcme = hint({ HTTPS_PROXY, setIn: "/etc/acme/environment" });
  expect(ofAcme).toContain("/etc/acme/environment");
  expect(ofAcme).not.toContain("svc`");
  expect(ofAcme).not.toContain("/etc/default/svc");
});

test("a proxy that repeats the password in its answer does not bring it into a message", () => {
  const { hop } = exchange({ HTTPS_PROXY: "http://me:s3cret@proxy.example:3128" });
  expect(explainProxyStatus(hop, { status: 403, reason: "no me:s3cret here" }).message).toContain("403 no me:*** here");
});
