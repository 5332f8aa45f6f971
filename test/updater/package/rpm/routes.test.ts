import { describe, expect, test } from "vitest";
import { curlRoutes } from "../../../../src/updater/package/rpm/routes.ts";
import type { ProxyVariables } from "../../../../src/rules/route/route.ts";

const proxy = "http://proxy.example:3128";
const urls = [
  "http://repo.example/el9",
  "no address",
  "https://secure.example/el9",
  "https://10.0.0.5:8443/el9",
  "file:///mnt/repo",
  "http://[2001:db8::5]/x",
];

describe("the routes in libcurl's words", () => {
  test("leave the manager its own configuration where no variable speaks, and let nothing else in", () => {
    const { ruled, env } = curlRoutes(urls, { NO_PROXY: "repo.example" });
    expect(ruled).toEqual([]);
    expect(new Set(Object.values(env))).toEqual(new Set([""]));
    const variables = [
      "http_proxy",
      "https_proxy",
      "no_proxy",
      "all_proxy",
      "HTTP_PROXY",
      "HTTPS_PROXY",
      "NO_PROXY",
      "ALL_PROXY",
    ];
    expect(Object.keys(env).toSorted()).toEqual(variables.toSorted());
  });

  test.each<{ title: string; variables: ProxyVariables; ruled: readonly string[]; env: Record<string, string> }>([
    {
      title: "an entry with a port, by the host on that port",
      variables: { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.5:8443" },
      ruled: ["https"],
      env: { no_proxy: "10.0.0.5" },
    },
    {
      title: "domains for mirrors that no repository names",
      variables: { HTTP_PROXY: proxy, NO_PROXY: ".inner.example,mirrors.example,[2001:db8::5]" },
      ruled: ["http"],
      env: { no_proxy: "2001:db8::5,.inner.example,mirrors.example" },
    },
    {
      title: "all hosts",
      variables: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "one.example,*" },
      ruled: ["http", "https"],
      env: { http_proxy: "", https_proxy: "", no_proxy: "*" },
    },
  ])("give $title", ({ variables, ruled, env }) => {
    const routes = curlRoutes(urls, variables);
    expect(routes.ruled).toEqual(ruled);
    expect(routes.env).toMatchObject({ ...env, HTTP_PROXY: "", HTTPS_PROXY: "", NO_PROXY: "", ALL_PROXY: "", all_proxy: "" });
  });

  test("leave an exception out that libcurl would stretch to a repository behind the proxy", () => {
    const { env } = curlRoutes(["http://example.org/el9"], { HTTP_PROXY: proxy, NO_PROXY: ".example.org,other.example" });
    expect(env["no_proxy"]).toBe("other.example");
  });

  test("fault what cannot be said: the port decides", () => {
    const asked = ["http://other.example/", "http://repo.example:8080/a", "http://repo.example/b"];
    const routing = (): unknown => curlRoutes(asked, { HTTP_PROXY: proxy, NO_PROXY: "repo.example:8080" });
    expect(routing).toThrow(
      expect.objectContaining({ code: "proxy-invalid", hint: "name repo.example in NO_PROXY without a port, or not at all" }),
    );
    // libcurl would take a host below it for the same.
    const below = ["http://repo.example:8080/a", "http://eu.repo.example/b"];
    expect(() => curlRoutes(below, { HTTP_PROXY: proxy, NO_PROXY: "repo.example:8080" })).toThrow("eu.repo.example");
  });

  test("fault an unusable proxy only where it would be used", () => {
    const variables = { HTTP_PROXY: "socks5://proxy.example:1080" };
    expect(() => curlRoutes(urls, variables)).toThrow("socks5");
    expect(curlRoutes(["https://secure.example/"], variables).env).toMatchObject({ http_proxy: "" });
  });
});
