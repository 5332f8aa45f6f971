import { expect, test } from "vitest";
import { parseChannelsDigest, shortDigest } from "../../../src/rules/channel/digest.ts";
import { digestOf } from "./given.ts";

const digest = "0123456789abcdef".repeat(4);

test("the digest of an instance is read as it stands, and told by its beginning", () => {
  expect(parseChannelsDigest(digest)).toBe(digest);
  expect(shortDigest(digestOf("a"))).toBe("a".repeat(12));
});

test.each([
  ["is not there", undefined],
  ["is empty", ""],
  ["is short", digest.slice(1)],
  ["is long", `${digest}0`],
  ["is very long", digest.repeat(1000)],
  ["is written in capitals", digest.toUpperCase()],
  ["is quoted", `"${digest}"`],
  ["has a space before it", ` ${digest}`],
  ["has a newline after it", `${digest}\n`],
  ["came twice", `${digest}, ${digest}`],
  ["came as a list", [digest]],
  ["is no hexadecimal number", "g".repeat(64)],
])("a digest that %s is none", (_title, found) => {
  expect(parseChannelsDigest(found)).toBeUndefined();
});
