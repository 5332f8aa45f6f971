import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "../../src/plan/decide.ts";
import { given, installedVersion, now as someFriday, servedVersion, serves } from "../plan/given.ts";
import { uniformOf } from "./chance.ts";
import { playHost } from "./host.ts";
import { drawLoad } from "./load.ts";
import { lookAt, type Surroundings } from "./look.ts";
import { mirrorBits } from "./mirror.ts";
import { scenarios, type Scenario } from "./scenario.ts";
import { peaksOf, summarize } from "./summary.ts";
import { parseTimerUnit } from "./timer/unit-file.ts";

const shipped = parseTimerUnit(readFileSync(resolve(import.meta.dirname, "../../systemd/svc-upgrade.timer"), "utf8"));
const together = { ...shipped, randomDelaySeconds: 0 };
const scenario = (name: Scenario["name"]): Scenario => scenarios.find((one) => one.name === name)!;

describe("a look", () => {
  test("moves when the planner itself would", () => {
    const window = { start: someFriday, stop: someFriday + 3600 };
    const anySurroundings = fc.record({
      installed: fc.constantFrom("served" as const, "earlier" as const),
      urgency: fc.constantFrom("usual" as const, "critical" as const),
    });
    fc.assert(
      fc.property(anySurroundings, fc.integer({ min: -4000, max: 8000 }), ({ installed, urgency }, seconds) => {
        const at = someFriday + seconds;
        const answer = serves(installed === "served" ? installedVersion : servedVersion, urgency);
        const schedule = { kind: "windows" as const, windows: [window] };
        const { facts, policy } = given({ now: at, answer, schedule });
        const moves = decide(facts, policy).kind === "move";
        expect(lookAt({ installed, urgency, window }, at).outcome).toBe(moves ? "moves" : "stays");
      }),
    );
  });

  test.each<[surroundings: Surroundings, requests: number]>([
    [{ installed: "served", urgency: "usual", window: undefined }, 1],
    [{ installed: "served", urgency: "critical", window: undefined }, 1],
    [{ installed: "earlier", urgency: "usual", window: undefined }, 2],
    [{ installed: "earlier", urgency: "critical", window: undefined }, 2],
  ])("with %j asks %i times", (surroundings, requests) => expect(lookAt(surroundings, 0).requests).toBe(requests));
});

function looksOf(
  of: Scenario,
  timer: typeof shipped,
  seed: number,
): readonly { at: number; requests: number; outcome: string }[] {
  const looks: { at: number; requests: number; outcome: string }[] = [];
  playHost(of, timer, { uniform: uniformOf(seed), onLook: (at, look) => looks.push({ at, ...look }) });
  return looks;
}

const anySeed = fc.integer();

describe("a host", () => {
  test("looks once in each ten minutes of a day, asks twice from the release to the window, and moves once", () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const looks = looksOf(scenario("day"), shipped, seed);
        expect(looks.map(({ at }) => Math.floor(at / 600))).toEqual(Array.from({ length: 144 }, (_, index) => index));
        expect(looks.filter(({ requests }) => requests === 2)).toHaveLength(12 * 6 + 1);
        const moves = looks.filter(({ outcome }) => outcome === "moves");
        expect(moves.map(({ at }) => Math.floor((at - 22 * 3600) / 600))).toEqual([0]);
      }),
      { numRuns: 30 },
    );
  });

  test("is silent while it has no power, and looks within ten minutes of its boot", () => {
    const { powerCut, ...rest } = scenario("reboot");
    fc.assert(
      fc.property(anySeed, (seed) => {
        const looks = looksOf({ ...rest, powerCut }, shipped, seed).map(({ at }) => at);
        expect(looks.filter((at) => at >= powerCut!.at && at < powerCut!.firstUp)).toEqual([]);
        const first = looks.find((at) => at >= powerCut!.at)!;
        expect(first).toBeLessThan(powerCut!.lastUp + 600);
      }),
    );
  });

  test("follows a critical release with its next look", () => {
    const critical = scenario("critical");
    fc.assert(
      fc.property(anySeed, (seed) => {
        const looks = looksOf(critical, shipped, seed);
        const next = looks.find(({ at }) => at >= critical.release!.at)!;
        expect(looks.filter(({ outcome }) => outcome === "moves")).toEqual([next]);
      }),
    );
  });
});

describe("the load of a fleet", () => {
  test("is the same for the same seed, and another one for another", () => {
    const drawn = (seed: number): Float64Array => drawLoad(scenario("window"), { timer: shipped, hosts: 500, seed }).requests;
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });

  test("has every host's looks in it, and every host's move", () => {
    const { requests, moves } = drawLoad(scenario("day"), { timer: shipped, hosts: 200, seed: 1 });
    expect([summarize(requests).total, summarize(moves).total]).toEqual([200 * (144 + 73), 200]);
  });

  test("lies in the ten minutes without their end, about as high as hosts through delay", () => {
    const hosts = 590_000;
    const { requests } = drawLoad({ ...scenario("window"), release: undefined }, { timer: shipped, hosts, seed: 7 });
    // The scenario begins at a quarter to.
    const atTheEnd = requests.filter((_, second) => (second + 900) % 600 > 591);
    expect(summarize(atTheEnd).total).toBe(0);
    const inside = requests.filter((_, second) => (second + 900) % 600 > 1 && (second + 900) % 600 < 589);
    expect(summarize(inside).mean / (hosts / 590)).toBeCloseTo(1, 2);
  });

  test("comes in one second without the delay", () => {
    const { requests } = drawLoad({ ...scenario("window"), release: undefined }, { timer: together, hosts: 1000, seed: 1 });
    expect([...requests.entries()].filter(([, count]) => count > 0)).toEqual([300, 900, 1500, 2100].map((at) => [at, 1000]));
  });
});

describe("the mirror", () => {
  const download = { packageBytes: 100e6, packages: 1, hostBitsPerSecond: 100e6 } as const;

  test.each([
    [1, 8],
    [2, 16],
  ] as const)("gives %i packages for %i seconds as fast as the host can take it", (packages, seconds) => {
    const bits = mirrorBits(Float64Array.from([0, 3, ...Array<number>(30).fill(0)]), { ...download, packages });
    expect(bits.slice(0, 2 + seconds)).toEqual(Float64Array.from([0, ...Array<number>(seconds).fill(300e6), 0]));
  });

  test("gives all bytes of all moves", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 50 }), fc.integer({ min: 1, max: 400 }), (moves, megabytes) => {
        const padded = Float64Array.from([...moves, ...Array<number>(40).fill(0)]);
        const bits = mirrorBits(padded, { ...download, packageBytes: megabytes * 1e6 });
        expect(summarize(bits).total).toBeCloseTo(summarize(padded).total * megabytes * 8e6, -3);
      }),
    );
  });
});

test("peaks are the highest of each stretch", () => {
  expect(peaksOf(Float64Array.from([1, 5, 2, 0, 7]), 2)).toEqual([5, 2, 7]);
});
