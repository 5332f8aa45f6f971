import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DecisionNumber } from "../../../src/rules/channel/decision-number.ts";
import { alternationSeconds, hear, nothingHeard, type Heard } from "../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { decide } from "../../../src/updater/plan/decide-host.ts";
import type { Decision } from "../../../src/updater/plan/host-decision.ts";
import type { Policy } from "../../../src/updater/plan/host-policy.ts";
import { urgencyOf } from "../../../src/rules/decide/urgency.ts";
import type { Version } from "../../../src/rules/version/version.ts";
import { servedBefore } from "../../rules/channel/given.ts";
import { packageVersion, version } from "../../rules/version/given.ts";
import { given, now as start, present, previousOf, remembering, serves } from "./given.ts";

const tick = 600;
const hour = 3600;
const channel = "default" as ChannelName;
const open: Partial<Policy> = { downgrade: "allow", unscheduled: "anytime" };

type Said = { readonly served: string; readonly number?: string | undefined; readonly after: number };
type Moved = { readonly from: Version; readonly to: Version; readonly at: number; readonly number: string | undefined };
type Played = { readonly moves: readonly Moved[]; readonly installed: Version; readonly last: Decision };

/** A host that could move at every pass, and is told this. */
function play(said: readonly Said[], policy: Partial<Policy> = open): Played {
  let now = start;
  let installed = version(said[0]!.served);
  let heard: Heard = nothingHeard;
  let previous: ReturnType<typeof previousOf> | undefined;
  let last: Decision | undefined;
  const moves: Moved[] = [];
  for (const { served: text, number, after } of said) {
    now += after;
    const served = version(text);
    heard = hear(
      heard,
      { channel, served: { kind: "version", version: served }, decision: number as DecisionNumber | undefined },
      now,
    );
    const { facts, policy: whole } = given(
      {
        now,
        installed: present({ version: installed, packageVersion: packageVersion(`${installed}-1`) }),
        binary: { kind: "answers", version: installed },
        answer: serves(served),
        schedule: { kind: "missing" },
        ...remembering({ heard, previous }),
      },
      policy,
    );
    last = decide(facts, whole);
    if (last.kind === "move") {
      moves.push({ from: installed, to: served, at: now, number });
      previous = previousOf({ version: installed, packageVersion: packageVersion(`${installed}-1`), leftAt: now });
      installed = served;
    }
  }
  return { moves, installed, last: last! };
}

/** A version for each pass, ten minutes apart. */
function ticks(text: string): readonly Said[] {
  return text.split(" ").map((word) => ({ served: `15.4.${word.charCodeAt(0) - 97}`, after: tick }));
}

function steady(letter: string, seconds: number): readonly Said[] {
  return Array.from({ length: Math.ceil(seconds / tick) }, () => ({ served: `15.4.${letter.charCodeAt(0) - 97}`, after: tick }));
}

function way({ moves }: Played): readonly string[] {
  return moves.map(({ from, to }) => `${from} -> ${to}`);
}

describe("a version that alternates", () => {
  test("is not moved to and fro where downgrades are allowed", () => {
    const played = play(ticks("a b a b a b a b"));
    expect(way(played)).toEqual(["15.4.0 -> 15.4.1"]);
    expect(played.last).toMatchObject({ kind: "stay", why: "current" });
    expect(play(ticks("a b a")).last).toEqual({
      kind: "stay",
      why: "alternating",
      told: "the agent was moved from 15.4.0 at 2026-11-20T02:30:00Z, and goes back at 2026-11-20T08:30:00Z at the earliest",
      until: start + 2 * tick + alternationSeconds,
      lift: "svc-upgrade rollback",
    });
  });

  test("waits where nothing was moved yet, with the other version, the end and the command that lifts it", () => {
    const closed: Partial<Policy> = { downgrade: "allow", unscheduled: "wait" };
    expect(play(ticks("a b a b"), closed).last).toEqual({
      kind: "stay",
      why: "alternating",
      told: "the channel serves 15.4.1 and 15.4.0 in turn; the agent moves once 15.4.1 has been the only one until 2026-11-20T08:50:00Z",
      until: start + 4 * tick + alternationSeconds,
      lift: "svc-upgrade retry",
    });
  });

  test("moves up as ever where downgrades are refused: that way there is no return", () => {
    const refusing: Partial<Policy> = { unscheduled: "anytime" };
    expect(way(play(ticks("a b a b a"), refusing))).toEqual(["15.4.0 -> 15.4.1"]);
  });

  test("is moved to once it has been the only one for six hours, and then with the next pass", () => {
    const back = ticks("a b a");
    const early = play([...back, ...steady("a", alternationSeconds - 2 * tick)]);
    expect(early.last).toMatchObject({ kind: "stay", why: "alternating" });
    const late = play([...back, ...steady("a", alternationSeconds)]);
    expect(way(late)).toEqual(["15.4.0 -> 15.4.1", "15.4.1 -> 15.4.0"]);
  });

  test("never holds back what the cluster decided, by a number that rose", () => {
    const decided = ticks("a b a b a").map((said, index) => ({ ...said, number: `1.${index}` }));
    expect(play(decided).moves).toHaveLength(4);
    const behind = [...decided, { served: "15.4.1", number: "1.1", after: tick }];
    expect(play(behind).last).toMatchObject({ kind: "stay", why: "alternating" });
  });

  test("waits for nothing that a clock said which ran ahead", () => {
    const { facts, policy } = given(
      {
        schedule: { kind: "missing" },
        answer: serves(version("15.4.4")),
        ...remembering({ previous: previousOf({ leftAt: start + 9 }) }),
      },
      open,
    );
    expect(decide(facts, policy)).toMatchObject({ kind: "move", target: { kind: "downgrade" } });
  });
});

const letters = fc.constantFrom("0", "1", "2", "3", "4").map((patch) => `15.4.${patch}`);
const pace = fc.oneof(fc.integer({ min: 1, max: 2 * tick }), fc.integer({ min: 1, max: 8 * hour }));
const number = fc.option(
  fc.nat({ max: 6 }).map((count) => `1.${count}`),
  { nil: undefined, freq: 3 },
);

test("nothing is critical where there is no answer", () => {
  const { facts } = given({ answer: { kind: "not-asked" } });
  expect(urgencyOf(facts)).toEqual({ kind: "no" });
});

describe("whatever is served", () => {
  test("nothing goes back within six hours to the version that it just left, but by decision", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ served: letters, number, after: pace }), { minLength: 1, maxLength: 60 }), (said) => {
        const { moves } = play(said);
        moves.forEach((moved, index) => {
          const before = moves[index - 1];
          if (before === undefined || before.from !== moved.to || moved.number !== undefined) return;
          expect(moved.at - before.at).toBeGreaterThanOrEqual(alternationSeconds);
        });
      }),
      { numRuns: 1000 },
    );
  });

  test("a version that is served alone is installed after six hours at the latest, whatever came before", () => {
    const before = fc.array(fc.record({ served: letters, number, after: pace }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(before, letters, (said, served) => {
        const alone = Array.from({ length: alternationSeconds / tick + 1 }, () => ({ served, after: tick }));
        expect(play([...said, ...alone]).installed).toBe(served);
      }),
      { numRuns: 500 },
    );
  });

  test("versions that are rolled out one after the other are followed at once", () => {
    const stages = fc.array(fc.tuple(fc.constantFrom("same", "next"), pace), { maxLength: 30 });
    fc.assert(
      fc.property(stages, (told) => {
        let patch = 0;
        const said = told.map(([step, after]) => ({ served: `15.4.${step === "next" ? (patch += 1) : patch}`, after }));
        const { installed, moves } = play([{ served: "15.4.0", after: tick }, ...said]);
        expect(installed).toBe(`15.4.${patch}`);
        expect(moves).toHaveLength(patch);
      }),
    );
  });
});

test("a version that failed here is left for the one before it at once", () => {
  const [bad, good] = [version("15.4.7"), version("15.4.6")];
  const failedHere = { served: bad, packageVersion: packageVersion("15.4.7-1"), at: start - 60, why: "it crashes" };
  const left = previousOf({ version: good, packageVersion: packageVersion("15.4.6-1"), leftAt: start - 60 });
  const installed = present({ version: bad, packageVersion: packageVersion("15.4.7-1") });
  const at = (rejected: readonly (typeof failedHere)[]): Decision => {
    const { facts, policy } = given(
      {
        installed,
        binary: { kind: "answers", version: bad },
        answer: serves(good),
        ...remembering({ previous: left, rejected }),
      },
      open,
    );
    return decide(facts, policy);
  };
  expect(at([])).toMatchObject({ kind: "stay", why: "alternating" });
  expect(at([failedHere])).toMatchObject({ kind: "move", target: { kind: "downgrade", to: good } });
});

describe("a channel that serves two versions in turn", () => {
  const heard = servedBefore(start + tick, ["15.4.6", "15.4.5", "15.4.6"]);
  const answer = serves(version("15.4.6"));

  test.each<[title: string, facts: Parameters<typeof given>[0], policy: Partial<Policy>]>([
    ["be repaired", { binary: { kind: "missing" } }, {}],
    ["be installed where it is absent", { installed: { kind: "absent" } }, { asked: { when: "timer", absent: "install" } }],
  ])("lets it %s", (_title, found, policy) => {
    const whole = given({ answer, ...remembering({ heard }), ...found }, { ...open, ...policy });
    expect(decide(whole.facts, whole.policy)).toMatchObject({ kind: "move" });
  });

  test("lets it go back once six hours are over, to the second", () => {
    const left = (seconds: number): string => {
      const previous = previousOf({ version: version("15.4.6"), leftAt: start - seconds });
      const { facts, policy } = given({ answer, ...remembering({ previous }) }, open);
      return decide(facts, policy).kind;
    };
    expect([left(alternationSeconds - 1), left(alternationSeconds)]).toEqual(["stay", "move"]);
  });

  test("lets it go back at once to what it left for a pin", () => {
    const previous = previousOf({ version: version("15.4.6"), leftAt: start - 60, isPinLed: true });
    const { facts, policy } = given({ answer, ...remembering({ previous }) }, open);
    expect(decide(facts, policy)).toMatchObject({ kind: "move", target: { to: "15.4.6" } });
    const inTurn = given({ answer, ...remembering({ previous, heard }) }, open);
    expect(decide(inTurn.facts, inTurn.policy)).toMatchObject({
      kind: "stay",
      why: "alternating",
      lift: expect.stringContaining("retry"),
    });
  });
});
