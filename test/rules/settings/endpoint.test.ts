import { describe, expect, test } from "vitest";
import { isPlainHttpAbroad, readEndpoint } from "../../../src/rules/settings/endpoint.ts";
import type { Endpoint } from "../../../src/rules/settings/settings.ts";

describe("readEndpoint", () => {
  test.each([
    ["https://proxy.example.com", "https://proxy.example.com"],
    ["https://proxy.example.com/", "https://proxy.example.com"],
    ["https://proxy.example.com//", "https://proxy.example.com"],
    ["HTTPS://Proxy.Example.COM", "https://proxy.example.com"],
    ["https://proxy.example.com:443", "https://proxy.example.com"],
    ["https://proxy.example.com:3080", "https://proxy.example.com:3080"],
    ["https://proxy.example.com/base/path/", "https://proxy.example.com/base/path"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
    ["http://127.0.0.1:3080", "http://127.0.0.1:3080"],
    ["https://[2001:DB8::7]:3080", "https://[2001:db8::7]:3080"],
  ])("%s becomes %s", (raw, endpoint) => {
    expect(readEndpoint(raw)).toEqual({ kind: "value", value: endpoint });
  });

  test.each([
    ["https://ann:hunter2@proxy.example.com", "a text with credentials (not shown)"],
    ["ann:hunter2@proxy.example.com", "a text with credentials (not shown)"],
    ["https://@proxy.example.com", "a text with credentials (not shown)"],
    ["https://proxy.example.com?token=hunter2", "a text with a query (not shown)"],
    ["https://proxy.example.com/?", "a text with a query (not shown)"],
    ["https://proxy.example.com/#hunter2", "a text with a fragment (not shown)"],
    ["ftp://proxy.example.com", '"ftp://proxy.example.com"'],
    ["https://", '"https://"'],
    ["https:///path", '"https:///path"'],
    ["https:proxy.example.com", '"https:proxy.example.com"'],
    ["https://a..b", '"https://a..b"'],
    ["https://proxy.example.com:0", '"https://proxy.example.com:0"'],
    ["https://proxy.example.com:99999", '"https://proxy.example.com:99999"'],
    ["https://proxy.example .com", '"https://proxy.example .com"'],
    ["https://proxy.example.com\\path", '"https://proxy.example.com\\path"'],
    [" https://proxy.example.com", '"https://proxy.example.com"'],
    ["https://proxy.exa\nmple.com", '"https://proxy.exa mple.com"'],
    ["https://proxy.example.com\0", '"https://proxy.example.com"'],
    ["https://proxy.example.com/\u001f", '"https://proxy.example.com/"'],
    ["https://proxy.example.com/a\u007fb", '"https://proxy.example.com/a b"'],
    ["", '""'],
    ["/path", '"/path"'],
    ["a]b", '"a]b"'],
    ["two words", '"two words"'],
    [443, "443"],
    [null, "nothing"],
    [["https://proxy.example.com"], "a list"],
    [{ url: "https://proxy.example.com" }, "a mapping"],
  ])("%j is refused as %s", (raw, found) => {
    expect(readEndpoint(raw)).toEqual({ kind: "refused", refusals: [{ at: "", found }] });
  });

  test.each([
    ["proxy.example.com:443", "a base URL, perhaps https://proxy.example.com:443"],
    ["proxy.example.com", "a base URL, perhaps https://proxy.example.com"],
    ["proxy.example.com/base", "a base URL, perhaps https://proxy.example.com/base"],
    ["[2001:db8::7]:443", "a base URL, perhaps https://[2001:db8::7]:443"],
  ])("%s is told what to write", (raw, allowed) => {
    expect(readEndpoint(raw)).toEqual({
      kind: "refused",
      refusals: [{ at: "", found: `"${raw}", which has no scheme`, allowed }],
    });
  });
});

test.each([
  ["http://proxy.example.com", true],
  ["http://10.0.0.7", true],
  ["http://localhost.example", true],
  ["https://proxy.example.com", false],
  ["http://127.0.0.1:3080", false],
  ["http://[::1]:3080", false],
  ["http://localhost:3080", false],
])("%s sends in the clear to another host: %s", (endpoint, expected) => {
  expect(isPlainHttpAbroad(endpoint as Endpoint)).toBe(expected);
});

describe("an endpoint's length", () => {
  test("is bounded, and a longer one is told to be too long", () => {
    const base = "https://proxy.example.com/";
    expect(readEndpoint(base + "a".repeat(1024 - base.length)).kind).toBe("value");
    expect(readEndpoint(base + "a".repeat(1025 - base.length))).toMatchObject({
      kind: "refused",
      refusals: [{ allowed: "a base URL of at most 1024 characters" }],
    });
  });
});
