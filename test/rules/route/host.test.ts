import { expect, test } from "vitest";
import { parseHost } from "../../../src/rules/route/host.ts";

test.each([
  ["Example.COM", "example.com"],
  ["example.com.", "example.com"],
  ["straße.example", "xn--strae-oqa.example"],
  ["10.0.0.1", "10.0.0.1"],
  ["2001:DB8::0:1", "2001:db8::1"],
  ["a_b", "a_b"],
])("%s is known as %s", (text, known) => {
  expect(parseHost(text)?.text).toBe(known);
});

test.each([
  "",
  "a b",
  "a\u0000b",
  `${"a".repeat(64)}.b`,
  ...". .. a..b .a a%62 a:1 [::1] a<b 1.2.3 0x7f.1 a.b.1".split(" "),
  "a.".repeat(126) + "bc",
  "a".repeat(2000),
])("%j is no host", (text) => {
  expect(parseHost(text)).toBeUndefined();
});
