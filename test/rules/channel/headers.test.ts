import { describe, expect, test } from "vitest";
import { isSameServed, printServed, readBeside } from "../../../src/rules/channel/headers.ts";
import { version } from "../version/given.ts";
import { digestOf } from "./given.ts";

const one = { kind: "version", version: version("15.4.6") } as const;
const none = { kind: "none" } as const;

describe("beside an answer stands", () => {
  test("under which channels it was given, of which version it is, and by which decision", () => {
    const headers = { "x-svc-channels": digestOf("a"), "x-svc-version": "v15.4.6", "x-svc-decision": "3.7" };
    expect(readBeside(headers)).toEqual({ channels: digestOf("a"), names: one, decision: "3.7" });
  });

  test.each([
    [{ "x-svc-asks-host": "yes" }, { asksHost: true, forHost: undefined }],
    [{ "x-svc-asks-host": "Yes, please" }, { asksHost: undefined, forHost: undefined }],
    [{ "x-svc-for-host": "0a".repeat(16) }, { asksHost: undefined, forHost: "0a".repeat(16) }],
    [{ "x-svc-for-host": "0A".repeat(16) }, { asksHost: undefined, forHost: undefined }],
    [{ "x-svc-for-host": `${"0a".repeat(16)}, ${"0b".repeat(16)}` }, { asksHost: undefined, forHost: undefined }],
    [{ "x-svc-unconfirmed": "yes" }, { isUnconfirmed: true }],
    [{ "x-svc-unconfirmed": "no" }, { isUnconfirmed: undefined }],
  ])(
    "whether hosts are to name themselves, for which one it was made, and whether auth has confirmed it: %j",
    (headers, expected) => {
      expect(readBeside(headers)).toMatchObject(expected);
    },
  );

  test.each([
    ["15.4.6", one],
    ["none", none],
    ["v15.4.6, v15.4.7", undefined],
    ["latest", undefined],
    ["", undefined],
    [["v15.4.6", "v15.4.6"], undefined],
    [undefined, undefined],
  ])("the version %j", (found, names) => {
    expect(readBeside({ "x-svc-version": found }).names).toEqual(names);
  });
});

test.each([
  [one, one, true],
  [none, none, true],
  [one, none, false],
  [one, { kind: "version", version: version("15.4.7") } as const, false],
  // Another build is another package, served by another instance.
  [one, { kind: "version", version: version("15.4.6+fips") } as const, false],
])("%j and %j are the same: %s", (left, right, isSame) => {
  expect(isSameServed(left, right)).toBe(isSame);
});

test("a version is printed as the channel's body has it", () => {
  expect([one, none].map(printServed)).toEqual(["v15.4.6", "none"]);
});
