import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCritical, parseServed } from "../../../src/rules/channel/answer.ts";
import { anyVersion } from "../version/given.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const gzip = Uint8Array.from([0x1f, 0x8b, 0x08, 0x00]);
const gzipFound = "4 bytes of compressed data";

describe("the served version", () => {
  test.each([
    ["bare", "15.4.6"],
    ["with a v", "v15.4.6"],
    ["with a newline", "v15.4.6\n"],
    ["with white space around it", " \t15.4.6\r\n\r\n"],
    ["with a byte order mark", "\ufeff15.4.6"],
  ])("is read %s", (_, body) => {
    expect(parseServed(bytes(body))).toEqual({ kind: "version", version: "15.4.6" });
  });

  test.each(["none", "none\n", " none "])("may be none: %o", (body) => {
    expect(parseServed(bytes(body))).toEqual({ kind: "none" });
  });

  test.each([
    ["an empty body", "", "an empty body"],
    ["white space", " \r\n", "an empty body"],
    ["a web page", "<!DOCTYPE html>\n<html>", "a web page of 22 bytes"],
    ["a web page that names a version", "<html>15.4.6</html>", "a web page of 19 bytes"],
    ["JSON", '{"version":"15.4.6"}', "JSON of 20 bytes"],
    ["None", "None", "a text of 4 bytes"],
    ["vnone", "vnone", "a text of 5 bytes"],
    ["two versions", "15.4.6\n15.4.7", "a text of 13 bytes that begins with 15.4.6"],
    ["two v", "vv15.4.6", "a text of 8 bytes that begins with vv15.4.6"],
    ["a short version", "v15.4", "a text of 5 bytes that begins with v15.4"],
    ["terminal controls", "\u001b[2J15.4.6", "a text of 10 bytes"],
    ["a long text", "x".repeat(100_000), "a text of 100000 bytes"],
    ["a long version", `15.4.6-${"9a".repeat(500)}`, "a text of 1007 bytes"],
  ])("is not %s", (_, body, found) => {
    expect(parseServed(bytes(body))).toEqual({ kind: "refused", found });
  });

  test("is not bytes beyond UTF-8, nor compressed ones", () => {
    expect(parseServed(gzip)).toEqual({ kind: "refused", found: gzipFound });
    const many = new Uint8Array(1000).fill(0xff);
    expect(parseServed(many)).toEqual({ kind: "refused", found: "1000 bytes that are not UTF-8" });
    const one = Uint8Array.from([...bytes("15.4.6"), 0xff]);
    expect(parseServed(one)).toEqual({ kind: "refused", found: "7 bytes that are not UTF-8" });
  });

  test("is every version that there is", () => {
    fc.assert(
      fc.property(anyVersion, fc.constantFrom("", "v"), fc.constantFrom("", "\n", "\r\n"), (version, before, after) => {
        expect(parseServed(bytes(`${before}${version}${after}`))).toEqual({ kind: "version", version });
      }),
    );
  });

  test("is read without a crash, whatever the bytes, and what is refused is told on one short line", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        for (const read of [parseServed(body), parseCritical(body)]) {
          expect(read.kind === "refused" ? read.found : "well").toMatch(/^\P{Cc}{1,90}$/u);
        }
      }),
    );
  });
});

describe("whether it is critical", () => {
  test.each(["yes", "true", "yes\n", " true\r\n"])("%o says so", (body) => {
    expect(parseCritical(bytes(body))).toEqual({ kind: "critical" });
  });

  test.each(["no", "false", "no\n"])("%o denies it", (body) => {
    expect(parseCritical(bytes(body))).toEqual({ kind: "not-critical" });
  });

  test.each([
    ["an empty body", bytes(""), "an empty body"],
    ["capitals", bytes("YES"), "a text of 3 bytes"],
    ["a number", bytes("1"), "a text of 1 byte"],
    ["more than a word", bytes("yes please"), "a text of 10 bytes"],
    ["a web page", bytes("<html>true</html>"), "a web page of 17 bytes"],
    ["bytes that are not UTF-8", gzip, gzipFound],
  ])("%s says nothing", (_, body, found) => {
    expect(parseCritical(body)).toEqual({ kind: "refused", found });
  });
});
