import assert from "node:assert";
import type * as AddressModule from "../../../src/rules/route/address.ts";
import type * as HostModule from "../../../src/rules/route/host.ts";
import type * as ProxyModule from "../../../src/rules/route/proxy.ts";
import type * as RouteModule from "../../../src/rules/route/route.ts";
import { near } from "../mutate.ts";
import { moduleOf } from "../source.ts";
import { taken, target, type Reading, type Target } from "../target.ts";
import { addressText, hostText, networkText, noProxyText, proxyText, urlText } from "../texts.ts";

const address: Target = target({
  name: "address",
  generate: near((random) => random.pick([addressText, networkText])(random)),
  load: async (source) => {
    const { networkHolds, parseAddress, parseNetwork } = await moduleOf<typeof AddressModule>(source, "rules/route/address.ts");
    return {
      read: (input) => {
        const network = parseNetwork(input);
        if (network !== undefined) assert(networkHolds(network, { family: network.family, number: network.start }));
        return taken((network ?? parseAddress(input))?.family);
      },
    };
  },
});

const host: Target = target({
  name: "host",
  generate: near(hostText),
  load: async (source) => {
    const { parseHost } = await moduleOf<typeof HostModule>(source, "rules/route/host.ts");
    return {
      read: (input) => {
        const found = parseHost(input);
        if (found !== undefined) assert.deepEqual(parseHost(found.text), found);
        return taken(found?.text);
      },
      print: (value) => value,
    };
  },
});

const proxy: Target = target({
  name: "proxy",
  generate: near(proxyText),
  load: async (source) => {
    const { parseProxy, printProxy } = await moduleOf<typeof ProxyModule>(source, "rules/route/proxy.ts");
    return {
      read: (input) =>
        unlessFault(() => {
          const found = parseProxy("HTTPS_PROXY", input);
          return taken(printProxy(found), [printProxy(found)]);
        }),
      print: (value) => value,
    };
  },
});

const route: Target = target({
  name: "route",
  generate: (random) => ({
    url: near(urlText)(random),
    variables: {
      [random.pick(["HTTPS_PROXY", "https_proxy"])]: random.onceIn(2) ? near(proxyText)(random) : "http://proxy.example:3128",
      [random.pick(["HTTP_PROXY", "http_proxy"])]: near(proxyText)(random),
      [random.pick(["NO_PROXY", "no_proxy"])]: near(noProxyText)(random),
    },
  }),
  load: async (source) => {
    const { routeFor, unusableNoProxyEntries } = await moduleOf<typeof RouteModule>(source, "rules/route/route.ts");
    return {
      read: ({ url, variables }) => {
        const unusable = unusableNoProxyEntries(variables);
        return unlessFault(() => {
          const { kind, rule } = routeFor(url, variables);
          return taken(kind, [rule, ...unusable]);
        });
      },
    };
  },
});

export const routeTargets: readonly Target[] = [address, host, proxy, route];

/** A fault is how these refuse; whatever else is thrown is a bug. */
function unlessFault<Value>(read: () => Reading<Value>): Reading<Value> {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && "hint" in thrown)) throw thrown;
    // A scheme is named; a password that stands there belongs to no proxy.
    const message = thrown.message.replace(/its scheme is \S+,/, "");
    return { kind: "refused", told: [message, String(thrown.hint), String(thrown.cause)] };
  }
}
