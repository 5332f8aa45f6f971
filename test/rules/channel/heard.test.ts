import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alternatingIn, tellAlternating, unsettledIn } from "../../../src/rules/channel/alternating.ts";
import type { Served } from "../../../src/rules/channel/answer.ts";
import type { HostId } from "../../../src/rules/channel/asking-host.ts";
import { parseDecisionNumber } from "../../../src/rules/channel/decision-number.ts";
import {
  alternationSeconds,
  forgetAlternation,
  hear,
  hearAgreement,
  mostVersions,
  nothingHeard,
  type Answered,
  type Heard,
} from "../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import type { Version } from "../../../src/rules/version/version.ts";
import { version } from "../version/given.ts";

const tick = 600;
const hour = 3600;
const channel = "default" as ChannelName;

const versionOf = (letter: string): Version => version(`15.4.${letter.charCodeAt(0) - 97}`);
const servedAs = (letter: string): Served =>
  letter === "-" ? { kind: "none" } : { kind: "version", version: versionOf(letter) };

type Said = { readonly letter: string; readonly number?: string | undefined; readonly at: number };

function after(said: readonly Said[]): Heard {
  return said.reduce<Heard>(
    (heard, { letter, number, at }) =>
      hear(heard, { channel, served: servedAs(letter), decision: parseDecisionNumber(number) }, at),
    nothingHeard,
  );
}

/** A letter for each pass, ten minutes apart, and the number of its decision where it has one: `a1 b2`. */
function ticks(text: string): readonly Said[] {
  return text.split(" ").map((word, index) => ({
    letter: word.charAt(0),
    number: word.length > 1 ? `1.${word.slice(1)}` : undefined,
    at: index * tick,
  }));
}

function alternates(text: string): boolean {
  const said = ticks(text);
  return alternatingIn(after(said), said.at(-1)!.at) !== undefined;
}

describe("answers alternate", () => {
  test.each([
    ["a a a b", false],
    ["a a b b c c", false],
    ["a b a", true],
    ["a b b b a a", true],
    ["a b a b a b", true],
    // In a circle, too.
    ["a b c a", true],
    // A channel that serves nothing for a while takes no version back.
    ["a - a", false],
    // What is numbered is a decision.
    ["a1 b2 a3 b4", false],
    ["a b1 a2", false],
    ["a1 b1 a1", true],
    ["a1 b2 a", true],
    // A number that goes back is none.
    ["b2 a1", true],
    ["b1 b2 b3", false],
  ])("%s: %s", (text, expected) => {
    expect(alternates(text)).toBe(expected);
  });

  test("between the two that came in turn, the last one first", () => {
    const heard = after(ticks("a a b b a"));
    const found = alternatingIn(heard, 4 * tick)!;
    expect(found).toEqual({ versions: [versionOf("a"), versionOf("b")], at: 4 * tick });
    expect(tellAlternating(found)).toMatch(/^the channel serves 15\.4\.0 and 15\.4\.1 in turn: /);
    expect(heard.disagreedAt).toBe(4 * tick);
  });

  test("where only numbers go back, and nothing waits for that", () => {
    const heard = after(ticks("b2 b1"));
    const found = alternatingIn(heard, tick)!;
    expect(found.versions).toEqual([versionOf("b"), versionOf("b")]);
    expect(tellAlternating(found)).toMatch(/^answers that serve 15\.4\.1 go back to an earlier decision/);
    expect(unsettledIn(heard, versionOf("b"), tick)).toBeUndefined();
  });

  test("until none has gone back for six hours; and the one that came back is settled once it was alone so long", () => {
    const heard = after(ticks("a b a"));
    const back = 2 * tick;
    const unsettled = { other: versionOf("b"), until: back + alternationSeconds };
    expect(unsettledIn(heard, versionOf("a"), back)).toEqual(unsettled);
    expect(unsettledIn(heard, versionOf("a"), back + alternationSeconds - 1)).toEqual(unsettled);
    expect(unsettledIn(heard, versionOf("a"), back + alternationSeconds)).toBeUndefined();
    expect(unsettledIn(heard, versionOf("b"), back)).toBeUndefined();
    expect(alternatingIn(heard, back + alternationSeconds - 1)).toBeDefined();
    expect(alternatingIn(heard, back + alternationSeconds)).toBeUndefined();
  });

  test("never by what a clock said that was wrong", () => {
    const heard = after([...ticks("b2 a1 b2"), { letter: "a", number: "1.9", at: 1_000_000 }]);
    expect(
      alternatingIn({ ...heard, alternation: { at: 1_000_000, between: [versionOf("a"), versionOf("b")] } }, 0),
    ).toBeUndefined();
    const now = hear(heard, { channel, served: servedAs("c"), decision: parseDecisionNumber("1.3") }, 2 * tick + 1);
    expect(now.versions.map(({ version: heardOf }) => heardOf)).toEqual([versionOf("c")]);
    expect(now.decision).toEqual({ number: "1.3", at: 2 * tick + 1 });
    const dated = { ...heard, alternation: { at: 9, between: [versionOf("a"), versionOf("b")] }, disagreedAt: 9 } as const;
    expect(hear(dated, { channel, served: servedAs("c") }, 8)).toMatchObject({ alternation: undefined, disagreedAt: undefined });
  });

  test("a lower number that stays goes back once, and is the channel's own after six hours", () => {
    const lower = (hours: number): Said => ({ letter: "b", number: "1.1", at: hours * hour });
    const heard = after([{ letter: "a", number: "1.2", at: 0 }, lower(1), lower(2)]);
    expect(heard.versions[0]).toMatchObject({ since: hour, until: 2 * hour, came: "back", before: versionOf("a") });
    expect(heard.decision).toEqual({ number: "1.2", at: 0 });
    expect(hear(heard, { channel, served: servedAs("b"), decision: parseDecisionNumber("1.1") }, 7 * hour).decision).toEqual({
      number: "1.1",
      at: 7 * hour,
    });
  });

  test("a number that goes back is told of the version alone where nothing else is known", () => {
    const known = after(ticks("b2 b1"));
    const nameless = { ...known, versions: known.versions.map((stretch) => ({ ...stretch, before: undefined })) };
    const heard = hear(nameless, { channel, served: servedAs("b"), decision: parseDecisionNumber("1.1") }, 2 * tick);
    expect(heard.alternation).toEqual({ at: 2 * tick, between: [versionOf("b"), versionOf("b")] });
    const first = hear(after(ticks("-2")), { channel, served: servedAs("b"), decision: parseDecisionNumber("1.1") }, tick);
    expect(first).toMatchObject({ versions: [{ came: "new", before: undefined }], alternation: undefined });
  });

  test("is forgotten where somebody has looked, but not what was decided, nor that answers disagreed", () => {
    const heard = after(ticks("b2 a1"));
    const forgotten = forgetAlternation(heard);
    expect(forgotten).toEqual({ ...heard, versions: [], alternation: undefined });
    expect(alternatingIn(forgotten, tick)).toBeUndefined();
  });

  test("is of one channel", () => {
    const other = { channel: "stable/cloud" as ChannelName, served: servedAs("b") };
    const heard = hear(after(ticks("a b a")), other, 3 * tick);
    expect(heard).toEqual({
      ...nothingHeard,
      channel: "stable/cloud",
      versions: [{ version: versionOf("b"), since: 3 * tick, until: 3 * tick, came: "new", before: undefined }],
    });
  });
});

describe("a word on critical", () => {
  const says = (letter: string, kind: "unnamed" | "disagreeing"): Answered => ({
    channel,
    served: servedAs(letter),
    doubt: { kind },
  });

  test("is counted while passes in a row agree on one version", () => {
    const passes = (answers: readonly Answered[]): number | undefined =>
      answers.reduce<Heard>((heard, answer) => hearAgreement(heard, answer), nothingHeard).agreed?.passes;
    const yes = says("a", "unnamed");
    expect(passes([yes])).toBe(1);
    expect(passes([yes, yes])).toBe(2);
    expect(passes([yes, yes, yes])).toBe(2);
    expect(passes([yes, says("b", "unnamed")])).toBe(1);
    expect(passes([yes, { channel, served: servedAs("a") }])).toBeUndefined();
    expect(passes([yes, says("-", "unnamed")])).toBeUndefined();
    expect(passes([yes, says("a", "disagreeing"), yes])).toBe(1);
  });

  test("that disagrees with itself is a disagreement, and one that agrees is none", () => {
    expect(hear(nothingHeard, says("a", "disagreeing"), 7).disagreedAt).toBe(7);
    expect(hear(nothingHeard, says("a", "unnamed"), 7).disagreedAt).toBeUndefined();
  });
});

const letters = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
const anySaid = fc.record({
  letter: fc.oneof(letters, fc.constant("-")),
  number: fc.option(
    fc.nat({ max: 5 }).map((count) => `1.${count}`),
    { nil: undefined },
  ),
  at: fc.integer({ min: -100_000, max: 100_000 }),
});

describe("whatever is heard", () => {
  test("little of it is kept: each version once, the last answer first, nothing of the future", () => {
    fc.assert(
      fc.property(fc.array(anySaid, { minLength: 1, maxLength: 30 }), (said) => {
        const heard = after(said);
        const last = said.at(-1)!;
        const versions = heard.versions.map(({ version: found }) => found);
        expect(versions.length).toBeLessThanOrEqual(mostVersions);
        expect(new Set(versions).size).toBe(versions.length);
        if (last.letter !== "-") expect(heard.versions[0]).toMatchObject({ version: versionOf(last.letter), until: last.at });
        for (const { since, until } of heard.versions) {
          expect(since).toBeLessThanOrEqual(until);
          expect(until).toBeLessThanOrEqual(last.at);
        }
      }),
    );
  });

  test("the name that it answered by stays known until another channel answers", () => {
    const askedAs = "0a".repeat(16) as HostId;
    const named = hear(nothingHeard, { channel, served: servedAs("a"), askedAs }, 0);
    const later = forgetAlternation(hear(named, { channel, served: servedAs("a") }, tick));
    expect(hearAgreement(later, { channel, served: servedAs("-") }).askedAs).toBe(askedAs);
    expect(hear(later, { channel: "other" as ChannelName, served: servedAs("a") }, 2 * tick).askedAs).toBeUndefined();
  });

  test("versions that are rolled out one after the other never alternate, at whatever pace", () => {
    const passes = fc.array(fc.tuple(fc.constantFrom("same", "next", "none"), fc.integer({ min: 1, max: 3 * hour })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(passes, (told) => {
        let at = 0;
        let index = 0;
        const said: Said[] = [];
        for (const [step, seconds] of told) {
          at += seconds;
          if (step === "next") index += 1;
          said.push({ letter: step === "none" ? "-" : String.fromCharCode(97 + index), at });
        }
        expect(after(said)).toMatchObject({ alternation: undefined, disagreedAt: undefined });
      }),
    );
  });

  test("what the cluster decides in whatever order never alternates while its numbers rise", () => {
    const passes = fc.array(fc.tuple(letters, fc.integer({ min: 1, max: 3 * hour })), { maxLength: 40 });
    fc.assert(
      fc.property(passes, (told) => {
        const said = told.map(([letter, seconds], index) => ({ letter, number: `1.${index}`, at: index * 7 + (seconds % 7) }));
        expect(after(said)).toMatchObject({ alternation: undefined, disagreedAt: undefined });
      }),
    );
  });

  test("a version that comes back within six hours is found, whatever came between", () => {
    const between = fc.array(fc.tuple(fc.constantFrom("b", "c", "d"), fc.integer({ min: 1, max: hour })), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(between, (told) => {
        let at = 0;
        const said: Said[] = [{ letter: "a", at }];
        for (const [letter, seconds] of told) said.push({ letter, at: (at += seconds) });
        const heard = after([...said, { letter: "a", at: at + 1 }]);
        expect(alternatingIn(heard, at + 1)?.versions[0]).toBe(versionOf("a"));
      }),
    );
  });
});

test("an answer that may be outdated is no news: neither a version, nor a number, nor an agreement", () => {
  const heard = after([{ letter: "b", number: "1.7", at: 0 }]);
  const outdated = { channel, served: servedAs("a"), decision: parseDecisionNumber("1.6"), isUnconfirmed: true };
  expect(hear(heard, outdated, tick)).toBe(heard);
  expect(hearAgreement(heard, outdated)).toBe(heard);
});
