import { describe, expect, test } from "vitest";
import { decodeProxies, encodeProxies } from "../../../src/updater/record/proxies.ts";
import type { ProxyVariables } from "../../../src/rules/route/route.ts";

describe("the proxies that were found", () => {
  test.each<[string, ProxyVariables]>([
    ["where there were none", {}],
    ["in either spelling, whatever they hold", { HTTPS_PROXY: "http://p.example:1", no_proxy: ".lan", http_proxy: "nonsense" }],
    ["with the file that they were found in", { NO_PROXY: "*", setIn: "/etc/svc/environment" }],
  ])("come back as they were, %s", (_title, proxies) => {
    expect(decodeProxies(encodeProxies(proxies))).toEqual({ kind: "read", value: proxies });
  });

  test("are unreadable where one is no text", () => {
    expect(decodeProxies('{"HTTPS_PROXY":7}')).toMatchObject({ kind: "unreadable" });
  });
});
