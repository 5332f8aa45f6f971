import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { caught } from "./caught.ts";
import { proxyVariablesIn, routeFor, unusableNoProxyEntries, type ProxyVariables } from "../../../src/rules/route/route.ts";

const proxied: ProxyVariables = { HTTPS_PROXY: "http://proxy.example:3128", HTTP_PROXY: "http://plain.example:3128" };

function routed(url: string, noProxy: string): string {
  const route = routeFor(url, { ...proxied, NO_PROXY: noProxy });
  return route.kind === "direct" ? route.rule : route.kind;
}

describe("routeFor picks the proxy", () => {
  test.each([
    ["https://a.example/", {}, "direct", "no HTTPS_PROXY is set"],
    ["http://a.example/", {}, "direct", "no HTTP_PROXY is set"],
    ["https://a.example/", { HTTP_PROXY: "http://p.example:1" }, "direct", "no HTTPS_PROXY is set"],
    ["http://a.example/", { HTTPS_PROXY: "http://p.example:1" }, "direct", "no HTTP_PROXY is set"],
    ["https://a.example/", { HTTPS_PROXY: "http://p.example:1" }, "p.example:1", "HTTPS_PROXY"],
    ["http://a.example/", { HTTP_PROXY: "http://p.example:1" }, "p.example:1", "HTTP_PROXY"],
    ["https://a.example/", { https_proxy: "http://p.example:1" }, "p.example:1", "https_proxy"],
    ["http://a.example/", { http_proxy: "http://p.example:1" }, "p.example:1", "http_proxy"],
    [
      "https://a.example/",
      { HTTPS_PROXY: "http://u.example:1", https_proxy: "http://l.example:2" },
      "u.example:1",
      "HTTPS_PROXY",
    ],
    ["https://a.example/", { HTTPS_PROXY: "", https_proxy: "http://l.example:2" }, "l.example:2", "https_proxy"],
    ["https://a.example/", { HTTPS_PROXY: "  ", https_proxy: undefined }, "direct", "no HTTPS_PROXY is set"],
    ["https://a.example/", { HTTPS_PROXY: " p.example:1 \n" }, "p.example:1", "HTTPS_PROXY"],
    ["HTTPS://A.EXAMPLE/", { HTTPS_PROXY: "p.example:1" }, "p.example:1", "HTTPS_PROXY"],
    [
      "https://a.example/",
      { HTTPS_PROXY: "p.example:1", NO_PROXY: "", no_proxy: "a.example" },
      "direct",
      'no_proxy entry "a.example"',
    ],
    [
      "https://a.example/",
      { HTTPS_PROXY: "p.example:1", NO_PROXY: "b.example", no_proxy: "a.example" },
      "p.example:1",
      "HTTPS_PROXY",
    ],
    ["https://a.example/", { NO_PROXY: "a.example" }, "direct", "no HTTPS_PROXY is set"],
  ] as const)("%s with %j: %s, %s", (...[url, variables, where, rule]) => {
    const route = routeFor(url, variables);
    expect(route.kind === "direct" ? "direct" : `${route.proxy.host}:${route.proxy.port}`).toBe(where);
    expect(route.rule).toBe(rule);
  });

  test("takes a URL object as it takes its text", () => {
    expect(routeFor(new URL("https://a.example/"), proxied)).toEqual(routeFor("https://a.example/", proxied));
  });
});

describe("the file that the variables come from", () => {
  const setIn = "/etc/svc/environment";

  test.each<[string, ProxyVariables]>([
    ["goes with a way through a proxy", proxied],
    ["goes with a way through none", {}],
  ])("%s, where it is not the usual one", (_title, variables) => {
    const route = routeFor("https://a.example/", variables);
    expect(route).not.toHaveProperty("setIn");
    expect(routeFor("https://a.example/", { ...variables, setIn })).toEqual({ ...route, setIn });
  });

  test("is named where its proxy is not usable", () => {
    const thrown = caught(() => routeFor("https://a.example/", { HTTPS_PROXY: "nonsense", setIn }));
    expect(JSON.stringify(thrown)).toContain(setIn);
  });
});

describe("routeFor never proxies this host", () => {
  test.each([
    ..."http://localhost/ http://LOCALHOST:8080/ http://localhost./ https://channel.localhost/".split(" "),
    ..."http://127.0.0.1:3080/ http://127.8.9.10/ http://127.1/ http://2130706433/ https://[::1]:3080/".split(" "),
    ..."https://[::ffff:127.0.0.1]/ http://0.0.0.0/ http://[::]/".split(" "),
  ])("%s", (url) => {
    expect(routeFor(url, proxied)).toEqual({ kind: "direct", rule: "loopback is never proxied" });
  });

  test.each(["http://localhost.example/", "http://notlocalhost/", "http://128.0.0.1/", "http://[::2]/"])(
    "but %s is another host",
    (url) => {
      expect(routeFor(url, proxied).kind).toBe("proxy");
    },
  );
});

describe("NO_PROXY", () => {
  test.each([
    // a domain matches itself and its subdomains
    ["example.com", "https://example.com/", "direct"],
    ["example.com", "https://a.example.com/", "direct"],
    ["example.com", "https://a.b.example.com/", "direct"],
    ["example.com", "https://notexample.com/", "proxy"],
    ["example.com", "https://example.com.evil.example/", "proxy"],
    ["example.com", "https://example.org/", "proxy"],
    ["example.com", "https://example.com./", "direct"],
    ["example.com.", "https://example.com/", "direct"],
    ["com", "https://example.com/", "direct"],
    ["intranet", "https://intranet/", "direct"],
    ["intranet", "https://a.intranet/", "direct"],
    ["a.example.com", "https://example.com/", "proxy"],
    // a leading dot or star means subdomains alone
    [".example.com", "https://example.com/", "proxy"],
    [".example.com", "https://a.example.com/", "direct"],
    [".example.com", "https://a.b.example.com/", "direct"],
    [".example.com", "https://notexample.com/", "proxy"],
    ["*.example.com", "https://example.com/", "proxy"],
    ["*.example.com", "https://a.example.com/", "direct"],
    ["*.example.com", "https://a.b.example.com/", "direct"],
    ["*.example.com", "https://notexample.com/", "proxy"],
    // a star alone means everything
    ["*", "https://example.com/", "direct"],
    ["*", "http://10.0.0.1/", "direct"],
    ["*", "http://[2001:db8::1]/", "direct"],
    ["*:443", "https://example.com/", "direct"],
    ["*:443", "http://example.com/", "proxy"],
    // letter case and alphabet
    ["EXAMPLE.com", "https://example.COM/", "direct"],
    [".Example.Com", "https://A.example.com/", "direct"],
    ["bücher.example", "https://BÜCHER.example/", "direct"],
    ["bücher.example", "https://xn--bcher-kva.example/", "direct"],
    ["xn--bcher-kva.example", "https://bücher.example/", "direct"],
    [".bücher.example", "https://a.bücher.example/", "direct"],
    // ports
    ["example.com:443", "https://example.com/", "direct"],
    ["example.com:443", "https://example.com:443/", "direct"],
    ["example.com:443", "http://example.com/", "proxy"],
    ["example.com:80", "http://example.com/", "direct"],
    ["example.com:3080", "https://example.com:3080/", "direct"],
    ["example.com:3080", "https://a.example.com:3080/", "direct"],
    ["example.com:3080", "https://example.com/", "proxy"],
    [".example.com:3080", "https://a.example.com:3080/", "direct"],
    [".example.com:3080", "https://example.com:3080/", "proxy"],
    ["*.example.com:3080", "https://a.example.com:3080/", "direct"],
    ["example.com", "https://example.com:3080/", "direct"],
    ["10.0.0.1:3080", "http://10.0.0.1:3080/", "direct"],
    ["10.0.0.1:3080", "http://10.0.0.1/", "proxy"],
    ["10.0.0.0/8:3080", "http://10.0.0.1:3080/", "direct"],
    ["10.0.0.0/8:3080", "http://10.0.0.1/", "proxy"],
    ["[2001:db8::1]:3080", "http://[2001:db8::1]:3080/", "direct"],
    ["[2001:db8::1]:3080", "http://[2001:db8::1]/", "proxy"],
    ["[2001:db8::]/32:3080", "http://[2001:db8::1]:3080/", "direct"],
    ["[2001:db8::]/32:3080", "http://[2001:db8::1]/", "proxy"],
    ["[2001:db8::/32]:3080", "http://[2001:db8::1]:3080/", "direct"],
    ["2001:db8::/32:3080", "http://[2001:db8::1]:3080/", "direct"],
    // addresses
    ["10.0.0.1", "http://10.0.0.1/", "direct"],
    ["10.0.0.1", "http://10.0.0.2/", "proxy"],
    ["10.0.0.1", "http://167772161/", "direct"],
    ["10.0.0.1", "http://a.10.0.0.1.example/", "proxy"],
    ["10.0.0.1", "http://[::ffff:10.0.0.1]/", "direct"],
    ["::ffff:10.0.0.1", "http://10.0.0.1/", "direct"],
    ["2001:db8::1", "http://[2001:db8::1]/", "direct"],
    ["2001:DB8:0:0::1", "http://[2001:db8::1]/", "direct"],
    ["[2001:db8::1]", "http://[2001:db8::1]/", "direct"],
    ["2001:db8::1", "http://[2001:db8::2]/", "proxy"],
    ["::a00:1", "http://10.0.0.1/", "proxy"],
    ["10.0.0.1", "http://[::a00:1]/", "proxy"],
    // netmasks
    ["10.0.0.0/8", "http://10.255.255.255/", "direct"],
    ["10.0.0.0/8", "http://11.0.0.0/", "proxy"],
    ["10.1.2.3/8", "http://10.9.9.9/", "direct"],
    ["192.168.1.64/26", "http://192.168.1.127/", "direct"],
    ["192.168.1.64/26", "http://192.168.1.128/", "proxy"],
    ["0.0.0.0/0", "http://203.0.113.1/", "direct"],
    ["0.0.0.0/0", "http://example.com/", "proxy"],
    ["0.0.0.0/0", "http://[2001:db8::1]/", "proxy"],
    ["::/0", "http://[2001:db8::1]/", "direct"],
    ["::/0", "http://203.0.113.1/", "proxy"],
    ["fc00::/7", "http://[fd12::1]/", "direct"],
    ["fc00::/7", "http://[fe80::1]/", "proxy"],
    ["[fc00::]/7", "http://[fd12::1]/", "direct"],
    ["10.0.0.0/8", "http://ten.example/", "proxy"],
    // lists
    ["a.example,example.com", "https://example.com/", "direct"],
    [" a.example , example.com ", "https://example.com/", "direct"],
    ["\ta.example,\n\texample.com\n", "https://example.com/", "direct"],
    [",,example.com,,", "https://example.com/", "direct"],
    [",", "https://example.com/", "proxy"],
    ["", "https://example.com/", "proxy"],
    ["a.example example.com", "https://example.com/", "proxy"],
    ["a.example;example.com", "https://example.com/", "proxy"],
    ["kube.svc.cluster.local", "https://kube.svc.cluster.local/", "direct"],
    // what means nothing is passed over
    ["http://example.com", "https://example.com/", "proxy"],
    ["http://example.com,example.com", "https://example.com/", "direct"],
    ["10.0.0.0/99,10.0.0.0/8", "http://10.0.0.1/", "direct"],
    ["*example.com", "https://www.example.com/", "proxy"],
    ["example.com:x", "https://example.com/", "proxy"],
  ])("%j and %s: %s", (noProxy, url, expected) => {
    expect(routeFor(url, { ...proxied, NO_PROXY: noProxy }).kind).toBe(expected);
  });

  test.each([
    [".example.com", "https://a.example.com/", 'NO_PROXY entry ".example.com"'],
    ["b.example, *.Example.com:443", "https://a.example.com/", 'NO_PROXY entry "*.Example.com:443"'],
    ["10.0.0.0/8,10.1.0.0/16", "https://10.1.0.1/", 'NO_PROXY entry "10.0.0.0/8"'],
  ])("%j names the entry that decided for %s", (noProxy, url, rule) => {
    expect(routed(url, noProxy)).toBe(rule);
  });
});

describe("routeFor refuses", () => {
  test.each(["", "example.com", "proxy.example.com:443", "ftp://a.example/", "https://", "http://a..b/", "file:///etc/passwd"])(
    "%j, which is no http or https URL",
    (url) => {
      expect(() => routeFor(url, {})).toThrow(expect.objectContaining({ code: "usage" }));
    },
  );

  test("a URL object of another scheme, without telling its password", () => {
    expect(() => routeFor(new URL("ftp://ann:hunter2@a.example/"), {})).toThrow(/^there is no route to "…@a\.example\/":/);
  });

  test("an unusable proxy, by the name of its variable", () => {
    expect(() => routeFor("https://a.example/", { https_proxy: "nonsense" })).toThrow(
      expect.objectContaining({ code: "proxy-invalid", message: "https_proxy is not a usable proxy: it has no port" }),
    );
  });

  test.each([
    ["http://localhost/", {}],
    ["https://a.example/", { NO_PROXY: "a.example" }],
    ["http://a.example/", { HTTP_PROXY: "p.example:1" }],
  ])("no unusable proxy where it would not be used: %s with %j", (url, more) => {
    expect(() => routeFor(url, { HTTPS_PROXY: "nonsense", ...more })).not.toThrow();
  });
});

describe("whatever the variables hold", () => {
  const name = fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,8}){0,2}$/);
  const entry = fc.oneof(
    name,
    name.map((text) => `.${text}`),
    name.map((text) => `*.${text}:443`),
    fc.ipV4(),
    fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, length]) => `${address}/${length}`),
    fc.string(),
  );
  const url = fc.oneof(
    name.map((text) => `https://${text}/`),
    fc.ipV4().map((text) => `http://${text}/`),
    fc.ipV6().map((text) => `https://[${text}]:3080/`),
  );

  test("any text ends in a route or in a Fault", () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), entry, url);
    fc.assert(
      fc.property(text, text, text, (target, proxy, noProxy) => {
        for (const scheme of ["", "http://", "https://"]) {
          const variables = { HTTPS_PROXY: proxy, HTTP_PROXY: `http://${proxy}:1`, NO_PROXY: noProxy };
          const thrown = caught(() => routeFor(`${scheme}${target}`, variables));
          expect(thrown === undefined || thrown instanceof Fault).toBe(true);
        }
        expect(Array.isArray(unusableNoProxyEntries({ NO_PROXY: noProxy }))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("an entry for somebody else never changes a route", () => {
    const unrelated = fc.constantFrom("unrelated.invalid", ".unrelated.invalid:443", "[3fff::]/20", "240.9.9.9", "no such entry");
    fc.assert(
      fc.property(url, fc.array(entry), unrelated, (target, entries, other) => {
        const expected = routed(target, entries.join(","));
        expect(routed(target, [other, ...entries].join(","))).toBe(expected);
        expect(routed(target, [...entries, other].join(","))).toBe(expected);
      }),
    );
  });

  test("a bypassed host stays bypassed whatever the letter case", () => {
    const flipped = (text: string, mask: bigint): string =>
      text.replace(/[a-z]/g, (letter, index: number) => ((mask >> BigInt(index)) & 1n ? letter.toUpperCase() : letter));
    fc.assert(
      fc.property(name, fc.constantFrom("", "."), fc.bigInt({ min: 0n, max: 2n ** 32n }), (host, dot, mask) => {
        const noProxy = flipped(`${dot}${host}`, mask);
        expect(routeFor(`https://${flipped(`a.${host}`, mask >> 3n)}/`, { ...proxied, NO_PROXY: noProxy }).kind).toBe("direct");
      }),
    );
  });

  test("an entry for a network bypasses every address in it", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(32), (address, length) => {
        expect(routeFor(`http://${address}/`, { ...proxied, NO_PROXY: `${address}/${length}` }).kind).toBe("direct");
      }),
    );
  });
});

test("of an environment only the proxy variables are picked", () => {
  expect(proxyVariablesIn({ HTTPS_PROXY: "a", no_proxy: "", HTTP_PROXY: undefined, PATH: "/bin", ALL_PROXY: "x" })).toEqual({
    HTTPS_PROXY: "a",
    no_proxy: "",
  });
});
