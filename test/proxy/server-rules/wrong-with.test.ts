import { describe, expect, test } from "vitest";
import { wrongWith, type RequestHead } from "../../../src/proxy/server-rules/wrong-with.ts";

const head = (version: string, ...rawHeaders: readonly string[]): RequestHead => {
  const [httpVersionMajor = 0, httpVersionMinor = 0] = version.split(".").map(Number);
  return { httpVersionMajor, httpVersionMinor, rawHeaders };
};

describe("a request's head", () => {
  test.each([
    ["a.example:443", undefined],
    ["A_b.example.", undefined],
    ["[2001:db8::1]", undefined],
    ["", undefined],
    ["user@a", "host-invalid"],
    ["a,b", undefined],
    ["a:b", "host-invalid"],
    ["2001:db8::1", "host-invalid"],
    ["[a.example]", "host-invalid"],
    ["a\u00e9", "host-invalid"],
    ["a#b", "host-invalid"],
  ])("with Host: %s is %s", (host, code) => {
    expect(wrongWith(head("1.1", "Accept", "*/*", "hOsT", host))?.code).toBe(code);
  });

  test.each([
    ["1.1", [], "host-invalid"],
    ["1.0", [], undefined],
    ["1.1", ["Host", "a", "Host", "a"], "host-invalid"],
    ["1.0", ["Host", "a", "host", "b"], "host-invalid"],
    ["1.1", ["Host"], undefined],
    ["1.1", ["Host", "a", "Expect", ""], "expect-refused"],
    ["1.1", ["EXPECT", "100-continue", "Host", "a"], "expect-refused"],
    ["1.0", ["Expect", "100-continue"], undefined],
    ["1.1", ["Host", "a", "X-Host", "b", "Hos", "c", "Expected", "d"], undefined],
    ["2.0", ["Host", "a"], "request-invalid"],
    ["0.9", [], "request-invalid"],
  ])("of HTTP/%s with %j is %s", (version, rawHeaders, code) => {
    expect(wrongWith(head(version, ...rawHeaders))?.code).toBe(code);
  });
});
