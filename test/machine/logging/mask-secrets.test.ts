import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mask } from "../../../src/machine/logging/mask-secrets.ts";

describe("what is shown", () => {
  test.each([
    ["http://user:secret@proxy:3128", "http://***@proxy:3128"],
    ["http://user@proxy:3128/path", "http://***@proxy:3128/path"],
    ["http://user:s@cr@t@proxy:3128", "http://***@proxy:3128"],
    ["http://user:s/cr?t#x@proxy:3128", "http://***@proxy:3128"],
    [
      "could not reach //user:secret@proxy, then https://a:b@c/d?e=f@g gave up",
      "could not reach //***@proxy, then https://***@g gave up",
    ],
    ["http://USER:PASSWORD@x@proxy:3128", "http://***@proxy:3128"],
    ["http://USER:PASSWORD2@proxy:3128", "http://***@proxy:3128"],
    ["http://USER:PASSWORD@proxy,http://user:secret@proxy", "http://***@proxy"],
    ["http://us%40er:p%2Fss@proxy", "http://***@proxy"],
    ["?proxy=http%3A%2F%2Fuser%3Asecret%40proxy%3A3128&x=1", "?proxy=http%3A%2F%2F***%40proxy%3A3128&x=1"],
    ["?u=http%253a%252f%252fuser%253asecret%2540proxy", "?u=http%253a%2F%2F***%40proxy"],
    ["Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=", "Proxy-Authorization: Basic ***"],
    ['{"authorization":"Bearer abc.def"}', '{"authorization":"Bearer ***"}'],
  ])("holds no secret of %s", (text, shown) => {
    expect(mask(text)).toBe(shown);
  });

  test.each([
    "in /etc/default/svc the line HTTPS_PROXY=http://USER:PASSWORD@proxy.example.com:3128",
    "HTTPS_PROXY=http://USER:PASSWORD@proxy:3128 in /etc/default/svc",
    "nothing to hide",
    "https://proxy.example.com/v1/@scope/package",
    "mail admin@example.com",
    "svc-upgrade@1.service",
    "a // comment",
    "authorization failed",
  ])("is untouched where there is none: %s", (text) => {
    expect(mask(text)).toBe(text);
  });

  test("holds no password of any characters, wherever the URL stands in the text", () => {
    const password = fc
      .string({ unit: fc.constantFrom("s", "E", "7", "@", ":", "%", "/", "ü", "&"), minLength: 1 })
      .map((end) => `x${end}Zecret`);
    fc.assert(
      fc.property(fc.string(), password, fc.string(), (before, secret, after) => {
        expect(mask(`${before} http://user:${secret}@proxy:3128/ ${after}`)).not.toContain("Zecret");
        expect(mask(`${before} ${encodeURIComponent(`http://user:${secret}@proxy`)} ${after}`)).not.toContain("Zecret");
      }),
    );
  });
});
