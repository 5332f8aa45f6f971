import { describe, expect, test } from "vitest";
import { targetOf, type Knowledge } from "../../src/doctor/target.ts";
import { installed, serves, version } from "../pass/given.ts";

const known: Knowledge = {
  answer: serves("15.4.6"),
  lastContact: undefined,
  installed: installed("15.4.5"),
  downgrade: "refuse",
};
const contact = { at: 1_800_000_000, served: version("15.4.7"), isCritical: false };
const silent = { kind: "fault", fault: { code: "channel-unreachable", message: "", hint: "", causes: [] } } as const;

describe("the version that has to be offered", () => {
  test.each<readonly [string, Partial<Knowledge>, object]>([
    ["is the served one", {}, { kind: "version", version: "15.4.6", by: "the channel" }],
    ["is the channel's word rather than an old one", { lastContact: contact }, { kind: "version", version: "15.4.6" }],
    [
      "is that of the last contact where the channel is silent",
      { answer: silent, lastContact: contact },
      { kind: "version", version: "15.4.7", by: "the channel, at 2027-01-15T08:00:00Z," },
    ],
    ["is unknown where nobody ever said it", { answer: undefined }, { kind: "unknown" }],
    [
      "is none where the channel serves none",
      { answer: { kind: "served", served: { kind: "none" }, isCritical: false } },
      { kind: "none" },
    ],
    ["is none where it served none", { answer: silent, lastContact: { ...contact, served: "none" } }, { kind: "none" }],
    ["is none where it is installed", { installed: installed("15.4.6") }, { kind: "none" }],
    [
      "is the installed one, where that is half installed",
      { installed: installed("15.4.6", { condition: "half-way" }) },
      { kind: "version" },
    ],
    ["is none where an older one is served", { installed: installed("15.4.7") }, { kind: "none" }],
    [
      "is an older one where that is allowed",
      { installed: installed("15.4.7"), downgrade: "allow" },
      { kind: "version", version: "15.4.6" },
    ],
    ["is the served one where nothing is installed", { installed: { kind: "absent" } }, { kind: "version", version: "15.4.6" }],
  ])("%s", (_title, changes, target) => {
    expect(targetOf({ ...known, ...changes })).toMatchObject(target);
  });
});
