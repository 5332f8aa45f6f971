import type * as AddressModule from "../../../src/route/address.ts";
import type * as HostModule from "../../../src/route/host.ts";
import type * as PortModule from "../../../src/route/port.ts";
import type * as ProxyModule from "../../../src/route/proxy.ts";
import type * as RouteModule from "../../../src/route/route.ts";
import { compare, finding, isPrintableLine, refused } from "../compare.ts";
import { bitsOf, naiveNetwork } from "../naive/address.ts";
import { naiveHost, naivePort } from "../naive/host.ts";
import { naiveNoProxy, naiveProxy, naiveRoute } from "../naive/route.ts";
import type { NaiveProxy } from "../naive/route.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { target, type Target, type Verdict } from "../target.ts";
import { addressText, bracketed, hostText, nameText, near, portText, urlText } from "../texts.ts";

type Proxy = ReturnType<(typeof ProxyModule)["parseProxy"]>;

/** Stands in the credentials of many inputs, and must stand in no message. */
const secret = "hunter2";

function networkText(random: Random): string {
  return `${addressText(random)}/${random.pick(["0", "8", "24", "32", "33", "64", "96", "104", "128", "129", "08", String(random.below(140))])}`;
}

function proxyText(random: Random): string {
  const scheme = random.pick(["http://", "http://", "https://", "", "HTTP://", "socks5://", "ftp://"]);
  const users = [
    "user@",
    `user:${secret}@`,
    `u%40x:${secret}%3A%2F@`,
    `:${secret}@`,
    "@",
    `a:b:${secret}@`,
    `u%3A:${secret}@`,
    `u:%C3%A9${secret}@`,
  ];
  const user = random.onceIn(3) ? random.pick([...users, `u:%FF${secret}@`, `u:%0A${secret}@`, `u@x:${secret}@`]) : "";
  const port = random.onceIn(8) ? "" : `:${random.onceIn(3) ? portText(random) : "3128"}`;
  return `${scheme}${user}${bracketed(hostText(random))}${port}${random.pick(["", "", "/", "/x"])}`;
}

function noProxyText(random: Random): string {
  const entry = (): string => {
    const host = random.pick([
      () => hostText(random),
      () => random.pick([".", "*.", "*", ".."]) + nameText(random),
      () => networkText(random),
      () => random.pick(["*", `[${addressText(random)}]`, `[${networkText(random)}]`, `[${addressText(random)}]/64`, "", " "]),
    ])();
    return random.onceIn(3) ? `${host}:${portText(random)}` : host;
  };
  return random.several(1, 4, entry).join(random.pick([",", ", ", ",,", " "]));
}

const address: Target = target({
  name: "address",
  generate: near((random) => (random.onceIn(2) ? addressText(random) : networkText(random))),
  load: async (source) => {
    const { parseAddress, parseNetwork } = await moduleOf<typeof AddressModule>(source, "route/address.ts");
    return (input) => {
      const found = parseAddress(input);
      const alone = compare(found && bitsFrom(found.number, found.family), bitsOf(input));
      if (alone.kind !== "refused") return alone;
      const network = parseNetwork(input);
      return compare(
        network && { prefix: bitsFrom(network.start, network.family).slice(0, network.length), width: widthOf(network.family) },
        naiveNetwork(input),
      );
    };
  },
});

const host: Target = target({
  name: "host",
  generate: near(hostText),
  load: async (source) => {
    const { parseHost } = await moduleOf<typeof HostModule>(source, "route/host.ts");
    return (input) => {
      const found = parseHost(input);
      return compare(found && naively(found), naiveHost(input));
    };
  },
});

const port: Target = target({
  name: "port",
  generate: near(portText),
  load: async (source) => {
    const { parsePort } = await moduleOf<typeof PortModule>(source, "route/port.ts");
    return (input) => compare(parsePort(input), naivePort(input));
  },
});

const proxy: Target = target({
  name: "proxy",
  generate: near(proxyText),
  load: async (source) => {
    const { parseProxy } = await moduleOf<typeof ProxyModule>(source, "route/proxy.ts");
    return (input) => {
      const expected = naiveProxy(input);
      const outcome = attempt(() => parseProxy("HTTPS_PROXY", input), { codes: ["proxy-invalid"], shown: "" });
      return "verdict" in outcome ? outcome.verdict(expected) : compareProxy(outcome.value, expected);
    };
  },
});

const route: Target = target({
  name: "route",
  generate: (random) => {
    const variables: Record<string, string> = {};
    const set = (name: string, value: () => string): void => {
      if (!random.onceIn(4)) variables[name] = value();
    };
    const usable = (): string => (random.onceIn(3) ? near(proxyText)(random) : "http://proxy.example:3128");
    set(random.pick(["HTTPS_PROXY", "https_proxy"]), usable);
    set(random.pick(["HTTP_PROXY", "http_proxy"]), usable);
    set(random.pick(["NO_PROXY", "no_proxy"]), () => near(noProxyText)(random));
    if (random.onceIn(4)) variables[random.pick(["HTTPS_PROXY", "NO_PROXY"])] = random.pick(["", " ", "*", usable()]);
    return { url: near(urlText)(random), variables };
  },
  load: async (source) => {
    const { routeFor, unusableNoProxyEntries } = await moduleOf<typeof RouteModule>(source, "route/route.ts");
    return ({ url, variables }) => {
      const expected = naiveRoute(url, variables);
      const outcome = attempt(() => routeFor(url, variables), {
        codes: ["usage", "proxy-invalid"],
        shown: url.slice(url.lastIndexOf("@") + 1),
      });
      if ("verdict" in outcome) return outcome.verdict(expected);
      const { value: found } = outcome;
      if (!isPrintableLine(found.rule) || found.rule.includes(secret)) return finding(`the rule cannot be shown: ${found.rule}`);
      const unusable = unusableNoProxyEntries(variables);
      const passedOver = naiveNoProxy(variables["NO_PROXY"]?.trim() || variables["no_proxy"] || "").unusable;
      if (unusable.length !== passedOver) return finding(`${unusable.length} entries mean nothing, not ${passedOver}`);
      if (found.kind === "proxy" && expected?.kind === "proxy") return compareProxy(found.proxy, expected.proxy);
      return compare({ kind: found.kind }, expected && { kind: expected.kind });
    };
  },
});

export const routeTargets: readonly Target[] = [address, host, port, proxy, route];

function bitsFrom(number: bigint, family: 4 | 6): string {
  return number.toString(2).padStart(widthOf(family), "0");
}

function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128;
}

/** Not by its own number: its text is what goes on to other programs. */
function naively(found: { readonly kind: string; readonly text: string }): object | undefined {
  return found.kind === "name" ? { name: found.text } : { bits: bitsOf(found.text) };
}

function compareProxy(found: Proxy, expected: NaiveProxy | undefined): Verdict {
  const bits = bitsOf(found.host);
  return compare({ ...found, host: bits === undefined ? { name: found.host } : { bits } }, expected);
}

type Outcome<Value> = { readonly value: Value } | { readonly verdict: (expected: unknown) => Verdict };

/** Only a fault may be thrown, of the right code, and its words hold no secret. */
function attempt<Value>(
  run: () => Value,
  /** What may stand in a message: a password that no @ follows is none. */
  { codes, shown }: { readonly codes: readonly string[]; readonly shown: string },
): Outcome<Value> {
  try {
    return { value: run() };
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && "hint" in thrown && codes.includes(String(thrown.code)))) throw thrown;
    // A scheme is named; whoever writes a password there has no proxy to be afraid for.
    const words = `${thrown.message} ${String(thrown.hint)} ${String(thrown.cause)}`.replace(/its scheme is \S+,/, "");
    if (words.includes(secret) && !shown.includes(secret))
      return { verdict: () => finding(`the fault tells the password: ${words}`) };
    if (!isPrintableLine(words)) return { verdict: () => finding(`the fault is not printable: ${words}`) };
    return { verdict: (expected) => (expected === undefined ? refused : compare(undefined, expected)) };
  }
}
