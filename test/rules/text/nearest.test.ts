import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nearest } from "../../../src/rules/text/nearest.ts";

const keys = ["endpoint", "channel", "agent", "manager", "holds", "hold", "keep_previous", "ca_file", "allow_plain_http"];

test.each([
  ["agnt", "agent"],
  ["agents", "agent"],
  ["Channel", "channel"],
  ["chanel", "channel"],
  ["keepPrevious", "keep_previous"],
  ["keep-previous", "keep_previous"],
  ["keepprevios", "keep_previous"],
  ["cafile", "ca_file"],
  ["hold", "hold"],
  ["hodl", undefined],
  ["holdz", "holds"],
  ["allow_http", undefined],
  ["a", undefined],
  ["", undefined],
  ["__", undefined],
  ["schedule", undefined],
  ["agent".repeat(20), undefined],
])("%s means %s", (word, meant) => {
  expect(nearest(word, keys)).toBe(meant);
});

test("means nothing where nothing is known", () => {
  expect(nearest("agent", [])).toBeUndefined();
});

test("a key with one letter more, less or another still means it", () => {
  const key = fc.constantFrom("endpoint", "channel", "manager", "keep_previous", "ca_file");
  fc.assert(
    fc.property(key, fc.nat(30), fc.constantFrom("", "x", "xy"), (word, place, letters) => {
      const index = place % word.length;
      expect(nearest(word.slice(0, index) + letters + word.slice(index + 1), keys)).toBe(word);
    }),
  );
});
