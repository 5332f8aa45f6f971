import { describe, expect, test } from "vitest";
import { bold, italic, sentence, text } from "../../../packaging/man/roff.ts";
import { hasGroff, rendered } from "./groff.ts";

if (!hasGroff) console.warn("SKIPPED: what is escaped for roff: groff is not installed");

const hostile: readonly string[] = [
  "a plain sentence",
  "--log-format, and words-with-hyphens",
  ".SH is no request here",
  "'nor is this",
  "...",
  String.raw`\fBnot bold\fP and \n, \e, \\, \(rs`,
  `"quoted", it's 'so'`,
  "https://user@host:1/~path?a=b^c",
  "more – than € ASCII",
];

function shown(line: string): string {
  return rendered(`.TH T 8\n.SH NAME\n${line}\n`)
    .split("\n")
    .filter((row) => /^ {7}\S/.test(row))
    .map((row) => row.trim())
    .join(" ");
}

describe.skipIf(!hasGroff)("text for roff", () => {
  test.each(hostile)("comes out as it went in: %s", (plain) => {
    expect(shown(text(plain))).toBe(plain);
    expect(shown(bold(plain))).toBe(plain);
    expect(shown(italic(plain))).toBe(plain);
  });

  test("has in bold what stands in backquotes, and no backquotes", () => {
    expect(text("see `svc-upgrade status`, then `.b`")).toBe(String.raw`see \fBsvc\-upgrade status\fR, then \fB.b\fR`);
    expect(shown(text("`svc-upgrade status`: why"))).toBe("svc-upgrade status: why");
  });
});

test.each([
  ["end a hold", "End a hold."],
  ["is it running?", "Is it running?"],
  ["It is.", "It is."],
])("%j is the sentence %j", (plain, expected) => {
  expect(sentence(plain)).toBe(expected);
});
