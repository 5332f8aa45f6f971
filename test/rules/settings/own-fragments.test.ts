import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";
import { printHold, printPin } from "../../../src/rules/settings/own-fragments.ts";
import { parseLine } from "../../../src/rules/settings/read-text.ts";
import type { Hold, Pin } from "../../../src/rules/decide/gate-policy.ts";
import type { Settings } from "../../../src/rules/settings/settings.ts";
import { version } from "../version/given.ts";

/** As every pass reads it. */
async function settingsIn(text: string): Promise<Settings> {
  const reading = await readYaml(text);
  if (reading.kind === "refused") throw new Error(reading.why);
  const merged = mergeSettings([{ origin: { kind: "file", path: "/90.yaml" }, values: reading.value }]);
  if (merged.kind === "faults") throw new Error(JSON.stringify(merged.faults));
  return merged.settings;
}

async function readBack(hold: Hold): Promise<Hold | undefined> {
  return (await settingsIn(printHold(hold))).hold;
}

describe("the fragment of a hold", () => {
  test.each([
    [{ until: undefined, reason: undefined }, "hold: {}\n"],
    [{ until: 1_800_000_000, reason: undefined }, 'hold:\n  until: "2027-01-15T08:00:00Z"\n'],
    [{ until: undefined, reason: "year-end freeze" }, 'hold:\n  reason: "year-end freeze"\n'],
  ])("of %j says who wrote it and what takes it away, then what holds", async (hold, text) => {
    expect(printHold(hold)).toBe(`# Written by svc-upgrade hold; svc-upgrade unhold takes it away.\n${text}`);
    expect(await readBack(hold)).toEqual(hold);
  });

  test.each([
    'it\'s: a "trap" # not a comment',
    "[x], {y}, *z, &a, !tag, |, >, %, @, `",
    "back\\slash \\n \\u0041",
    "- yes",
    "null",
    "2026-12-24",
    "grüße 🚦 日本",
    "\u{feff}mark",
    "a\u{200e}b\u{2066}c",
    " spaces around ",
  ])("gives back the reason %j", async (reason) => {
    expect(await readBack({ until: 1, reason })).toEqual({ until: 1, reason });
  });

  test("gives back whatever a hold may be", async () => {
    const until = fc.option(fc.integer({ min: 0, max: 253_402_300_799 }), { nil: undefined });
    const reason = fc.option(fc.string({ unit: "binary", maxLength: 200 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(until, reason, async (instant, text) => {
        fc.pre(text === undefined || parseLine(text) !== undefined);
        expect(await readBack({ until: instant, reason: text })).toEqual({ until: instant, reason: text });
      }),
    );
  });
});

describe("the fragment of a pin", () => {
  test.each<[Pin, string]>([
    [{ version: version("15.4.6"), reason: undefined }, '  version: "15.4.6"\n'],
    [{ version: version("15.4.6-rc.1+b"), reason: 'an: "audit"' }, '  version: "15.4.6-rc.1+b"\n  reason: "an: \\"audit\\""\n'],
  ])("of %j says who wrote it and what takes it away, then what is pinned", async (pin, text) => {
    expect(printPin(pin)).toBe(`# Written by svc-upgrade pin; svc-upgrade unpin takes it away.\npin:\n${text}`);
    expect((await settingsIn(printPin(pin))).pin).toEqual(pin);
  });
});
