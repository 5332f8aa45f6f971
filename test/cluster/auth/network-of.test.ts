import fc from "fast-check";
import { expect, test } from "vitest";
import { networkOf, parseAddress } from "../../../src/cluster/auth/network-of.ts";

test.each([
  ["203.0.113.7", "203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7", "203.0.113.7"],
  ["::FFFF:cb00:7107", "203.0.113.7", "203.0.113.7"],
  ["2001:db8::1", "2001:db8:0:0:0:0:0:1", "2001:db8:0:0::/64"],
  ["2001:0DB8:0000:0001:ffff:ffff:ffff:ffff", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"],
  ["2001:db8:0:1::203.0.113.7", "2001:db8:0:1:0:0:cb00:7107", "2001:db8:0:1::/64"],
  ["::1", "0:0:0:0:0:0:0:1", "0:0:0:0::/64"],
  ["::", "0:0:0:0:0:0:0:0", "0:0:0:0::/64"],
])("%s is %s, of %s", (text, address, network) => {
  expect(parseAddress(text)).toBe(address);
  expect(networkOf(address)).toBe(network);
});

test.each(["", "here", "203.0.113", "203.0.113.7:80", "fe80::1%eth0", "1.2.3.4, 5.6.7.8", "[::1]", "::1::", "\u001b[2J"])(
  "%j is none",
  (text) => {
    expect(parseAddress(text)).toBeUndefined();
  },
);

test("every address is of one network, whichever way it is written", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseAddress(text);
      expect(address).toBeDefined();
      expect(parseAddress(address ?? "")).toBe(address);
      expect(networkOf(address ?? "")).toMatch(/^(?:[\d.]+|(?:[0-9a-f]{1,4}:){3}[0-9a-f]{1,4}::\/64)$/);
    }),
  );
});
