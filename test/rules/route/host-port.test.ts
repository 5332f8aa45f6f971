import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAddress, printHostPort, withPort } from "../../../src/rules/route/host-port.ts";

describe("an address", () => {
  test.each([
    ["proxy.example.com", "proxy.example.com:7"],
    ["Proxy.Example.com:443", "proxy.example.com:443"],
    ["10.0.0.1:443", "10.0.0.1:443"],
    ["0.0.0.0", "0.0.0.0:7"],
    ["::1", "[::1]:7"],
    ["[::1]", "[::1]:7"],
    ["[2001:DB8::7]:443", "[2001:db8::7]:443"],
    ["localhost", "localhost:7"],
  ])("%s is %s", (written, meant) => {
    const address = parseAddress(written);
    expect(address === undefined ? undefined : printHostPort(withPort(address, 7))).toBe(meant);
  });

  test.each(["", "a b", ...":443 a: a:0 a:65536 [a]:443 [::1 ::1]:443 a/b https://a a:1:2 *:80 a..b".split(" ")])(
    "%j is none",
    (written) => {
      expect(parseAddress(written)).toBeUndefined();
    },
  );

  test("that is printed is read as the same", () => {
    const host = fc.oneof(fc.ipV4(), fc.domain(), fc.constantFrom("::1", "2001:db8::7"));
    fc.assert(
      fc.property(host, fc.integer({ min: 1, max: 65_535 }), (name, port) => {
        const read = parseAddress(printHostPort({ host: name, port }));
        expect(read).toEqual({ host: name.toLowerCase(), port });
      }),
    );
  });
});
