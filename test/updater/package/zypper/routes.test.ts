import { describe, expect, test } from "vitest";
import { zypperRoutes } from "../../../../src/updater/package/zypper/routes.ts";
import type { ProxyVariables } from "../../../../src/rules/route/route.ts";

const ours =
  "[svc]\nname=Ours\nbaseurl=http://repo.test/svc/$releasever?ssl_verify=no\n        https://two.test/svc\nenabled=1\n";
const foreign = "[foreign]\nmirrorlist=https://list.test/foreign\n\n[disc]\nbaseurl=dvd:///?devices=/dev/sr0\n";
const files = [
  { name: "svc.repo", text: ours },
  { name: "foreign.repo", text: foreign },
];
const HTTP_PROXY = "http://us%40er:p%3Aw%26d@proxy.test:3128";
const rival = 'PROXY_ENABLED="yes"\nHTTP_PROXY="http://other.test:3128"\n';
const viaProxy = "proxy=http%3A%2F%2Fproxy.test&proxyport=3128&proxyuser=us%40er&proxypass=p%3Aw%26d";

function textsWith(sysconfig: string, variables: ProxyVariables, some = files): readonly string[] {
  return zypperRoutes({ files: some, sysconfig }, variables).repositories.map(({ text }) => text);
}

describe("zypper's routes", () => {
  test("are variables, where nothing else names a proxy", () => {
    const routes = zypperRoutes({ files, sysconfig: 'PROXY_ENABLED="no"\nHTTP_PROXY="http://off.test:1"\n' }, { HTTP_PROXY });
    expect(routes.repositories).toEqual([]);
    expect(routes.env).toMatchObject({ http_proxy: HTTP_PROXY, https_proxy: "", NO_PROXY: "" });
  });

  test.each([
    ["in an address", ours.replace("?ssl_verify=no", "?proxy=http://own.test&ssl_verify=no&proxyport=1&proxyuser=u&proxypass=p")],
  ])("replace a repository's own proxy, %s", (_title, text) => {
    const [changed] = textsWith("", { HTTP_PROXY }, [{ name: "own.repo", text }]);
    expect(changed).toBe(ours.replace("?ssl_verify=no", `?ssl_verify=no&${viaProxy}`));
  });

  test("leave a repository's own proxy where no variable speaks of its scheme", () => {
    const plain = "[plain]\nbaseurl=http://plain.test/\nproxy=http://own.test:3128\n";
    const some = [{ name: "all.repo", text: `${plain}[secure]\nbaseurl=https://secure.test/\nproxy=http://own.test:3128\n` }];
    const [text] = textsWith("", { HTTPS_PROXY: "http://proxy.test:3128" }, some);
    expect(text).toBe(`${plain}[secure]\nbaseurl=https://secure.test/?proxy=http%3A%2F%2Fproxy.test&proxyport=3128\n`);
  });

  test("look through the host's own variables in an address", () => {
    const text = "[a]\nbaseurl=http://${region}.inside.test/$basearch/\nproxy=x\n";
    const [changed] = textsWith("", { HTTP_PROXY, NO_PROXY: ".inside.test" }, [{ name: "a.repo", text }]);
    expect(changed).toBe("[a]\nbaseurl=http://${region}.inside.test/$basearch/?proxy=_none_\n");
  });

  test("keep the brackets of an address", () => {
    const [text] = textsWith(rival, { HTTP_PROXY: "http://[2001:db8::1]:3128" });
    expect(text).toContain(`proxy=${encodeURIComponent("http://[2001:db8::1]")}&proxyport=3128`);
  });

  test("are refused with a password that zypper would spoil, which is not told", () => {
    const variables = { HTTP_PROXY: "http://user:secret%2541@proxy.test:3128" };
    expect(() => zypperRoutes({ files, sysconfig: "" }, variables)).toThrow(
      expect.objectContaining({ code: "proxy-invalid", message: expect.not.stringContaining("secret") as string }),
    );
    // Where the way there is direct, nobody has to be told.
    expect(zypperRoutes({ files, sysconfig: "" }, { ...variables, NO_PROXY: "repo.test" }).repositories).toEqual([]);
  });
});
