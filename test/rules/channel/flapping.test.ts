import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChannelsDigest } from "../../../src/rules/channel/digest.ts";
import {
  flappingIn,
  hear,
  longestDetourSeconds,
  mostStretches,
  tellFlapping,
  type Stretch,
} from "../../../src/rules/channel/flapping.ts";
import { digestOf } from "./given.ts";

const tick = 600;
const hour = 3600;

type Heard = { readonly digest: ChannelsDigest; readonly at: number };

/** A letter for each pass, ten minutes apart. */
function ticks(letters: string): readonly Heard[] {
  return letters.split("").map((letter, index) => ({ digest: digestOf(letter), at: index * tick }));
}

function after(heard: readonly Heard[]): readonly Stretch[] {
  return heard.reduce<readonly Stretch[]>((stretches, { digest, at }) => hear(stretches, digest, at), []);
}

function flapsAfter(heard: readonly Heard[]): boolean {
  return flappingIn(after(heard), heard.at(-1)?.at ?? 0) !== undefined;
}

describe("answers flap", () => {
  test.each([
    ["aaab", false],
    // A roll-out, and one after the other.
    ["aaabbb", false],
    ["abc", false],
    ["aabbccddeeff", false],
    ["aba", true],
    ["ababab", true],
    ["abcb", true],
    // Three that disagree are found as soon as two of them come in turn.
    ["abcabc", false],
  ])("when passes were answered under %s: %s", (letters, flaps) => {
    expect(flapsAfter(ticks(letters))).toBe(flaps);
  });

  test("between the two that came in turn, the last one first, with the time at which it came back", () => {
    const stretches = after(ticks("aabba"));
    const found = flappingIn(stretches, 4 * tick)!;
    expect(found).toEqual({ digests: [digestOf("a"), digestOf("b")], at: 4 * tick });
    expect(tellFlapping(found)).toContain("between the channel configurations aaaaaaaaaaaa and bbbbbbbbbbbb");
  });

  test("until one of them has been alone for as long as the other may be away", () => {
    const stretches = after(ticks("aba"));
    expect(flappingIn(stretches, 2 * tick + longestDetourSeconds)).toBeDefined();
    expect(flappingIn(stretches, 2 * tick + longestDetourSeconds + 1)).toBeUndefined();
  });

  test("never by what a clock said that was wrong", () => {
    const stretches = after([...ticks("ab"), { digest: digestOf("a"), at: 1_000_000 }]);
    expect(flappingIn(stretches, 3 * tick)).toBeUndefined();
    expect(hear(stretches, digestOf("b"), 3 * tick)).toEqual([{ digest: digestOf("b"), since: 3 * tick, until: 3 * tick }]);
  });
});

const letter = fc.constantFrom("a", "b", "c", "d", "e", "f").map(digestOf);
const steps = fc.integer({ min: 1, max: 3 * hour });

describe("whatever is heard", () => {
  test("little of it is kept: in order, without gaps in the telling, the last answer first", () => {
    const any = fc.array(fc.record({ digest: letter, at: fc.integer() }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(any, (heard) => {
        const stretches = after(heard);
        const last = heard.at(-1)!;
        expect(stretches.length).toBeLessThanOrEqual(mostStretches);
        expect(stretches[0]).toMatchObject({ digest: last.digest, until: last.at });
        stretches.forEach(({ since, until, digest }, index) => {
          expect(since).toBeLessThanOrEqual(until);
          const before = stretches[index + 1];
          if (before !== undefined) {
            expect(before.until).toBeLessThanOrEqual(since);
            expect(before.digest).not.toBe(digest);
          }
        });
      }),
    );
  });

  test("configurations that are rolled out one after the other never flap, at whatever pace", () => {
    const passes = fc.array(fc.tuple(fc.constantFrom("same", "next"), steps), { maxLength: 40 });
    fc.assert(
      fc.property(passes, (told) => {
        const heard: Heard[] = [];
        let at = 0;
        let index = 0;
        for (const [step, seconds] of told) {
          at += seconds;
          if (step === "next" && index < 5) index += 1;
          heard.push({ digest: digestOf("abcdef"[index]!), at });
          expect(flapsAfter(heard)).toBe(false);
        }
      }),
    );
  });

  test("a configuration that was in force for long was meant, and so is the rollback from it", () => {
    const stretch = fc.tuple(letter, fc.integer({ min: 1, max: 5 }));
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 8 }), (told) => {
        const heard: Heard[] = [];
        let at = 0;
        for (const [digest, days] of told) {
          for (let pass = 0; pass <= 24 * days; pass += 1) {
            at += hour;
            heard.push({ digest, at });
          }
          expect(flapsAfter(heard)).toBe(false);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("two that disagree are found as soon as the first comes back, whatever came before", () => {
    const before = fc.array(fc.tuple(letter, steps), { maxLength: 10 });
    fc.assert(
      fc.property(before, steps, steps, (told, away, back) => {
        let at = 0;
        const heard: Heard[] = told.map(([digest, seconds]) => ({ digest, at: (at += seconds) }));
        const others: readonly Heard[] = [
          { digest: digestOf("a"), at: (at += tick) },
          { digest: digestOf("b"), at: (at += away) },
          { digest: digestOf("a"), at: at + back },
        ];
        expect(flapsAfter([...heard, ...others])).toBe(true);
      }),
    );
  });
});
