import { isIPv4, isIPv6 } from "node:net";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLoopbackAddress, networkHolds, parseAddress, parseNetwork } from "../../../src/rules/route/address.ts";

describe("parseAddress", () => {
  test.each([
    ["0.0.0.0", 4, 0n],
    ["10.1.2.3", 4, 0x0a010203n],
    ["255.255.255.255", 4, 0xffffffffn],
    ["::", 6, 0n],
    ["::1", 6, 1n],
    ["1::", 6, 1n << 112n],
    ["2001:DB8::a", 6, 0x20010db800000000000000000000000an],
    ["1:2:3:4:5:6:7:8", 6, 0x00010002000300040005000600070008n],
    ["1:2:3:4:5:6:7::", 6, 0x00010002000300040005000600070000n],
    ["::2:3:4:5:6:7:8", 6, 0x00000002000300040005000600070008n],
    ["64:ff9b::192.0.2.1", 6, 0x0064ff9b0000000000000000c0000201n],
    ["1:2:3:4:5:6:192.0.2.1", 6, 0x000100020003000400050006c0000201n],
    ["::ffff:10.1.2.3", 4, 0x0a010203n],
    ["::ffff:a01:203", 4, 0x0a010203n],
  ] as const)("reads %s", (text, family, number) => {
    expect(parseAddress(text)).toEqual({ family, number });
  });

  test.each([
    "",
    " ",
    "1.2.3.4 ",
    ..."1 1.2.3 1.2.3.4.5 1.2.3.256 1.2.3.04 1.2.3.-4 0x7f.0.0.1 127.1 : ::: ::1:: 1:2:3:4:5:6:7".split(" "),
    ..."1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7::8 12345:: g:: 1.2.3.4:: ::1.2.3.4:1 ::1.2.3 fe80::1%eth0 [::1]".split(" "),
    "example.com",
  ])("refuses %j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  test("agrees with Node on every address and every near miss", () => {
    const nearly = fc.stringMatching(/^[0-9a-f:.]{0,24}$/);
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), nearly, fc.string()), (text) => {
        expect(parseAddress(text) !== undefined).toBe(isIPv4(text) || (isIPv6(text) && !text.includes("%")));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("parseNetwork", () => {
  test.each([
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.1.2.3/8", "10.9.9.9", true],
    ["192.168.1.0/24", "192.168.1.255", true],
    ["192.168.1.0/24", "192.168.2.0", false],
    ["192.0.2.7/32", "192.0.2.7", true],
    ["192.0.2.7/32", "192.0.2.6", false],
    ["0.0.0.0/0", "203.0.113.9", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["2001:db8::/32", "2001:db8:ffff::1", true],
    ["2001:db8::/32", "2001:db9::1", false],
    ["2001:db8::1/128", "2001:db8::1", true],
    ["::/0", "2001:db8::1", true],
    ["::/0", "10.0.0.1", false],
    ["::ffff:10.0.0.0/104", "10.200.0.1", true],
    ["10.0.0.0/8", "::ffff:10.0.0.1", true],
  ])("%s and %s: %s", (network, address, holds) => {
    expect(networkHolds(parseNetwork(network)!, parseAddress(address)!)).toBe(holds);
  });

  test.each([
    ..."10.0.0.0 10.0.0.0/ /8 10.0.0.0/33 10.0.0.0/08 10.0.0.0/8/8 10.0.0.0/-1 ::/129 ::ffff:10.0.0.0/95".split(" "),
    "10/8",
  ])("refuses %j", (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });

  test("a network holds its own address at every length", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(32), (text, length) => {
        const network = parseNetwork(`${text}/${text.includes(":") ? length + 96 : length}`);
        expect(networkHolds(network!, parseAddress(text)!)).toBe(true);
      }),
    );
  });
});

test.each([
  ["127.0.0.1", true],
  ["127.255.255.254", true],
  ["128.0.0.1", false],
  ["0.0.0.0", true],
  ["0.0.0.1", false],
  ["::1", true],
  ["::", true],
  ["::2", false],
  ["::ffff:127.0.0.1", true],
])("%s is loopback: %s", (text, expected) => {
  expect(isLoopbackAddress(parseAddress(text)!)).toBe(expected);
});
