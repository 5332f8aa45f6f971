import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aptRoutes } from "../../../../src/updater/package/apt/routes.ts";
import { routeFor, type ProxyVariables } from "../../../../src/rules/route/route.ts";
import { saved } from "../saved.ts";

const proxy = "http://proxy.example:3128";
const other = "https://other.example:3129";

/** Of the sources in the saved output, and of any other. */
const fetched = saved("update-print-uris.txt");
const uris = (...urls: readonly string[]): string => urls.map((url) => `'${url}/InRelease' some_file 0 \n`).join("");

describe("the sources that apt fetches from", () => {
  const config = aptRoutes(fetched, { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/8" })?.config ?? "";
  test("are named by scheme and host, as their source file spells them", () => {
    const hosts = [...config.matchAll(/^Acquire::https::Proxy::(\S+) /gm)].map(([, host]) => host);
    expect(hosts).toEqual(["p.test", "UPPER.test", "2001:db8::1", "münchen.test", "m.test", "b.test", "a.test"]);
  });

  test("never bring their own credentials along", () => {
    expect(fetched).toContain("http://user:pw@a.test:81");
    expect(config).not.toContain("pw");
  });
});

describe("apt's own configuration", () => {
  test("keeps what it says of http where only HTTPS_PROXY is set", () => {
    const routes = aptRoutes(uris("http://a.test", "https://b.test"), { HTTPS_PROXY: proxy, NO_PROXY: "corp.example" });
    expect(routes?.config).not.toContain("Acquire::http::");
    expect(routes?.noProxy).toBe("");
  });

  test("is overruled for both schemes where HTTP_PROXY is set, since apt takes the proxy of http for https too", () => {
    const routes = aptRoutes(uris("https://b.test"), { HTTP_PROXY: proxy });
    expect(routes?.config).toContain("#clear Acquire::http::Proxy;\n");
    expect(routes?.config).toContain("#clear Acquire::https::Proxy-Auto-Detect;\n");
    expect(routes?.config).toContain("#clear Acquire::https::ProxyAutoDetect;\n");
    expect(routes?.config).toContain(`Acquire::http::Proxy "${proxy}";\n`);
    expect(routes?.config).toContain('Acquire::https::Proxy "DIRECT";\n');
    expect(routes?.config).toContain('Acquire::https::Proxy::b.test "DIRECT";\n');
  });
});

describe("the route to a repository", () => {
  const both = { HTTP_PROXY: proxy, HTTPS_PROXY: other };
  /** How NO_PROXY is read is tested in test/rules/route. */
  test.each<[title: string, url: string, variables: ProxyVariables, says: string]>([
    ["the proxy of http", "http://a.test", both, `http::Proxy::a.test "${proxy}"`],
    ["the proxy of https", "https://a.test", both, `https::Proxy::a.test "${other}"`],
    ["an exception", "https://x.corp.test", { ...both, NO_PROXY: "corp.test" }, 'https::Proxy::x.corp.test "DIRECT"'],
    ["an IPv6 address", "http://[2001:db8::7]:80", { ...both, NO_PROXY: "2001:db8::/32" }, 'http::Proxy::2001:db8::7 "DIRECT"'],
    ["an IDN", "http://münchen.test", { ...both, NO_PROXY: "xn--mnchen-3ya.test" }, 'http::Proxy::münchen.test "DIRECT"'],
    ["a list of mirrors", "mirror+https://mirrors.test", both, `https::Proxy::mirrors.test "${other}"`],
    [
      "credentials that apt must decode to what they were",
      "http://a.test",
      { HTTP_PROXY: "http://fleet:p@s%20s%3A%22%5C;#@proxy.example:3128" },
      'http::Proxy::a.test "http://fleet:p%40s%20s%3A%22%5C%3B%23@proxy.example:3128"',
    ],
  ])("follows %s", (_title, url, variables, says) => {
    expect(aptRoutes(uris(url), variables)?.config.split("\n")).toContain(`Acquire::${says};`);
  });

  test.each(['http://quo"te.test'])("is none of ours for %s", (url) => {
    const config = aptRoutes(uris(url), both)?.config ?? "";
    expect(config).not.toMatch(/Proxy::/);
  });

  test("is a fault where the proxy that it takes is unusable, and only then", () => {
    const variables = { HTTP_PROXY: "socks5://proxy.example:1080", NO_PROXY: "10.0.0.0/8" };
    expect(() => aptRoutes(uris("http://a.test"), variables)).toThrow("HTTP_PROXY is not a usable proxy");
    const direct = aptRoutes(uris("http://10.2.3.4"), variables)?.config;
    expect(direct).toContain('Acquire::http::Proxy::10.2.3.4 "DIRECT";');
    expect(direct).toContain('Acquire::http::Proxy "unusable://proxy";');
  });

  test("is a fault where ports decide, which apt cannot tell apart", () => {
    const sources = uris("http://a.test", "http://a.test:8080");
    expect(() => aptRoutes(sources, { HTTP_PROXY: proxy, NO_PROXY: "a.test:8080" })).toThrow(
      expect.objectContaining({
        code: "proxy-invalid",
        message: expect.stringContaining('by NO_PROXY entry "a.test:8080" only some of them') as string,
        hint: "name a.test in NO_PROXY without a port, or not at all",
      }) as Error,
    );
    expect(aptRoutes(uris("http://a.test", "https://a.test:8080"), { HTTP_PROXY: proxy, NO_PROXY: "a.test:8080" })).toBeDefined();
    expect(aptRoutes(sources, { HTTP_PROXY: proxy, NO_PROXY: "a.test" })?.config).toContain('Proxy::a.test "DIRECT"');
  });
});

describe("hosts that only a redirect names", () => {
  test.each([
    { noProxy: "corp.example, other.example:8080", says: ".corp.example", hosts: ["corp.example"] },
    { noProxy: "10.1.1.1, [2001:db8::1], 192.168.0.0/16", says: "", hosts: ["10.1.1.1", "2001:db8::1"] },
  ])("are reached directly as far as $noProxy names them", ({ noProxy, says, hosts }) => {
    const routes = aptRoutes("", { HTTP_PROXY: proxy, NO_PROXY: noProxy });
    expect(routes?.noProxy).toBe(says);
    for (const host of hosts) expect(routes?.config).toContain(`Acquire::http::Proxy::${host} "DIRECT";`);
  });

  const label = fc.constantFrom("a", "b", "corp", "bad", "badcorp");
  const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."));
  const entry = fc.tuple(fc.constantFrom("", ".", "*."), name, fc.constantFrom("", ":8080")).map((parts) => parts.join(""));
  test("take the route that every other hop takes, as apt matches no_proxy and settings of single hosts", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), name, (entries, host) => {
        const variables = { HTTP_PROXY: proxy, NO_PROXY: entries.filter((text) => !text.endsWith(":8080")).join(",") };
        const routes = aptRoutes("", variables);
        expect(asAptDoes(host, routes)).toBe(routeFor(`http://${host}/`, variables).kind);
      }),
    );
  });
});

/** methods/http.cc of apt 2.2 to 3.0: the host's own setting, else the default; then no_proxy, by endings. */
function asAptDoes(host: string, routes: ReturnType<typeof aptRoutes>): "direct" | "proxy" {
  const lines = routes?.config.split("\n") ?? [];
  const own = lines.find((line) => line.startsWith(`Acquire::http::Proxy::${host} `));
  const setting = own ?? lines.find((line) => line.startsWith('Acquire::http::Proxy "'));
  const ends = (routes?.noProxy ?? "").split(",").some((ending) => ending !== "" && host.endsWith(ending));
  return ends || setting?.endsWith('"DIRECT";') === true ? "direct" : "proxy";
}
