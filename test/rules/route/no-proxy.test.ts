import { describe, expect, test } from "vitest";
import { unusableNoProxyEntries } from "../../../src/rules/route/route.ts";

describe("unusableNoProxyEntries", () => {
  test.each([
    ["", []],
    [" , ,, ", []],
    ["example.com, .example.com,*.example.com,*,10.0.0.0/8,[::1]:443,fe80::/10", []],
    ["http://example.com", ["http://example.com"]],
    ["ok.example,a b,also.example", ["a b"]],
    ["example.com:", ["example.com:"]],
    ["example.com:http", ["example.com:http"]],
    ["example.com:0,example.com:65536", ["example.com:0", "example.com:65536"]],
    ["10.0.0.0/33,10.0.0/8", ["10.0.0.0/33", "10.0.0/8"]],
    ["10.0.0.256,127.1,010.0.0.1", ["10.0.0.256", "127.1", "010.0.0.1"]],
    ["10.*,*example.com,www.*.com,**", ["10.*", "*example.com", "www.*.com", "**"]],
    ["a.example;b.example,a$b", ["a.example;b.example", "a$b"]],
    [".", ["."]],
    ["*.", ["*."]],
    ["a..b,..a", ["a..b", "..a"]],
    [".10.0.0.1", [".10.0.0.1"]],
    ["[example.com]:443,[10.0.0.1]", ["[example.com]:443", "[10.0.0.1]"]],
    ["[::1,::1]", ["[::1", "::1]"]],
    ["fe80::1%eth0", ["fe80::1%eth0"]],
    ["[2001:db8::/32]/32", ["[2001:db8::/32]/32"]],
    ["user@example.com", ["user@example.com"]],
    ["example.com/path", ["example.com/path"]],
    [`${"a".repeat(64)}.example`, [`${"a".repeat(60)}…`]],
  ])("of %j are %j", (value, unusable) => {
    expect(unusableNoProxyEntries({ NO_PROXY: value })).toEqual(unusable);
  });

  test("are those of the variable that counts", () => {
    expect(unusableNoProxyEntries({})).toEqual([]);
    expect(unusableNoProxyEntries({ NO_PROXY: "a b", no_proxy: "c d" })).toEqual(["a b"]);
    expect(unusableNoProxyEntries({ NO_PROXY: "", no_proxy: "c d" })).toEqual(["c d"]);
  });
});
