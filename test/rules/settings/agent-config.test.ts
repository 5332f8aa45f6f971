import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentEndpoint } from "../../../src/rules/settings/agent-config.ts";
import type { ConfigKey } from "../../../src/rules/settings/settings.ts";

test.each([
  [{ proxy_server: "https://proxy.example.com/" }, "proxy_server", "https://proxy.example.com"],
  [{ proxy_server: "[2001:db8::7]:3080" }, "proxy_server", "https://[2001:db8::7]:3080"],
  [{ proxy_server: "top.example:443", svc: { proxy_server: "below.example:443" } }, "svc.proxy_server", "https://below.example"],
  [{ proxy_server: "top.example:443", svc: { proxy_server: null } }, "proxy_server", "https://top.example"],
  [{ proxy_server: "top.example:443", svc: "text" }, "proxy_server", "https://top.example"],
  [
    { proxy_server: "top.example:443", svc: null, version: "v3", ssh_service: { enabled: "yes" } },
    "proxy_server",
    "https://top.example",
  ],
])("%j names the endpoint in %s: %s", (config, key, endpoint) => {
  expect(agentEndpoint(config, undefined)).toEqual({ kind: "endpoint", key, endpoint });
});

test.each([undefined, null, { proxy_server: null }, { version: "v3" }])("%j names none", (config) => {
  expect(agentEndpoint(config, undefined)).toEqual({ kind: "absent" });
});

const rule = "host:port or https://host[:port]";

test.each([
  [[], "", "a list", "a mapping"],
  [{ proxy_server: "proxy.example.com" }, "proxy_server", '"proxy.example.com"', rule],
  [{ proxy_server: "http://proxy.example.com" }, "proxy_server", '"http://proxy.example.com"', rule],
  [{ proxy_server: "https://proxy.example.com/path" }, "proxy_server", '"https://proxy.example.com/path"', rule],
  [{ proxy_server: "proxy.example.com:443/" }, "proxy_server", '"proxy.example.com:443/"', rule],
  [{ proxy_server: "a b:443" }, "proxy_server", '"a b:443"', rule],
  [{ proxy_server: "2001:db8::7:3080" }, "proxy_server", '"2001:db8::7:3080"', rule],
  [
    { proxy_server: "ann:hunter2@proxy.example.com:443" },
    "proxy_server",
    "a text with more than a host and a port (not shown)",
    rule,
  ],
  [
    { proxy_server: "https://proxy.example.com?token=hunter2" },
    "proxy_server",
    "a text with more than a host and a port (not shown)",
    rule,
  ],
])("%j is refused", (...[config, key, found, allowed]) => {
  expect(agentEndpoint(config, undefined)).toEqual({ kind: "refused", key, found, allowed });
});

describe("under a key of the settings", () => {
  const key = ["acme", "cluster", "address"] as unknown as ConfigKey;
  const svc = { proxy_server: "top.example:443", svc: { proxy_server: "below.example:443" } };

  test("the endpoint is what stands there, and nothing else", () => {
    const config = { ...svc, acme: { cluster: { address: "acme.example:443" } } };
    expect(agentEndpoint(config, key)).toMatchObject({ key: "acme.cluster.address", endpoint: "https://acme.example" });
    expect(agentEndpoint(svc, ["proxy_server"] as unknown as ConfigKey)).toMatchObject({ endpoint: "https://top.example" });
  });

  test.each([svc, { acme: null }])("%j names none", (config) => {
    expect(agentEndpoint(config, key)).toEqual({ kind: "absent" });
  });

  test("a name that every object has is not there unless it was written", () => {
    for (const names of [["constructor", "name"], ["__proto__"], ["toString"]]) {
      expect(agentEndpoint({}, names as unknown as ConfigKey)).toEqual({ kind: "absent" });
    }
  });

  test.each([
    [{ acme: { cluster: [1] } }, "acme.cluster", "a list", "a mapping with address"],
    [{ acme: { cluster: { address: 7 } } }, "acme.cluster.address", "7", rule],
  ])("%j is refused", (...[config, at, found, allowed]) => {
    expect(agentEndpoint(config, key)).toEqual({ kind: "refused", key: at, found, allowed });
  });
});

test("whatever YAML may hold ends in an answer", () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (top, below) => {
      for (const config of [top, { proxy_server: top, svc: { proxy_server: below } }]) {
        expect(["endpoint", "absent", "refused"]).toContain(agentEndpoint(config, undefined).kind);
      }
    }),
  );
});
