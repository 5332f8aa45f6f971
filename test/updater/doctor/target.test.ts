import { describe, expect, test } from "vitest";
import { targetOf, type Knowledge } from "../../../src/updater/doctor/target.ts";
import { noMemory } from "../../../src/updater/plan/host-facts.ts";
import { installed, now, serves, settings, version } from "../pass/given.ts";

const known: Knowledge = {
  answer: serves("15.4.6"),
  lastContact: undefined,
  installed: installed("15.4.5"),
  binary: { kind: "not-asked" },
  memory: noMemory,
  now,
  settings: settings(),
};
const contact = { at: 1_800_000_000, served: version("15.4.7"), isCritical: false };
const silent = { kind: "fault", fault: { code: "channel-unreachable", message: "", hint: "", causes: [] } } as const;

describe("the version that has to be offered", () => {
  test.each<readonly [string, Partial<Knowledge>, object]>([
    ["is the served one", {}, { kind: "version", version: "15.4.6", told: "the channel serves 15.4.6" }],
    [
      "is that of the last contact where the channel is silent",
      { answer: silent, lastContact: contact },
      { kind: "version", version: "15.4.7", told: "the channel, at 2027-01-15T08:00:00Z, serves 15.4.7" },
    ],
    ["is unknown where nobody ever said it", { answer: undefined }, { kind: "unknown" }],
    ["is none where it served none", { answer: silent, lastContact: { ...contact, served: "none" } }, { kind: "none" }],
    ["is none where it is installed", { installed: installed("15.4.6") }, { kind: "none" }],
    [
      "is the installed one, where that is half installed, whatever is served",
      { installed: installed("15.4.5-2", { condition: "half-way" }) },
      { kind: "version", version: "15.4.5", exactly: "15.4.5-2" },
    ],
    ["is unknown where the package holds no version", { installed: installed("1_2") }, { kind: "unknown" }],
    [
      "is an older one where that is allowed",
      { installed: installed("15.4.7"), settings: settings({ downgrade: "allow" }) },
      { kind: "version", version: "15.4.6" },
    ],
    [
      "is none where the pinned one is installed",
      { settings: settings({ pin: { version: "15.4.5" } }), answer: silent },
      { kind: "none", told: "15.4.5 is pinned, and installed" },
    ],
    [
      "is none where the pinned one is older, which is refused",
      { settings: settings({ pin: { version: "15.4.4" } }) },
      { kind: "none", told: "15.4.4 is pinned, older than the installed version" },
    ],
    ["is the served one where nothing is installed", { installed: { kind: "absent" } }, { kind: "version", version: "15.4.6" }],
  ])("%s", (_title, changes, target) => {
    expect(targetOf({ ...known, ...changes })).toMatchObject(target);
  });
});
