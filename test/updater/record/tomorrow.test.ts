import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asWritten, isKnown } from "../../../src/rules/shape/unknown-keys.ts";
import { decodeState } from "../../../src/updater/record/decode-state.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { metricsText } from "../../../src/updater/metrics/updater.ts";
import { forgetFailures } from "../../../src/updater/record/remember.ts";
import { longestStateBytes, type State } from "../../../src/updater/record/state.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";
import { state } from "./arbitrary.ts";
import { cutOff } from "./given.ts";
import { plainly, inOwnPlaces, tomorrow } from "./tomorrow.ts";

function read(found: string): State {
  const reading = decodeState(found);
  if (reading.kind === "unreadable") throw new Error(reading.why);
  return reading.value;
}

const passOf = (change: object): object => ({
  id: "p",
  startedAt: 1,
  seconds: 1,
  decision: { kind: "stay", why: "current", told: "t" },
  outcome: { kind: "stayed" },
  ...change,
});
const stateOf = (change: object): string =>
  JSON.stringify({ schema: 1, rejected: [], moveSeconds: [], passes: [passOf(change)] });
const unhealthy = { code: "unhealthy", message: "m", hint: "h", causes: [] };

describe("a state of tomorrow", () => {
  test("is read today and written back with nothing lost", () => {
    fc.assert(
      fc.property(state("plain"), (written) => {
        const later = tomorrow(encodeState(written));
        expect(JSON.parse(encodeState(read(later)))).toEqual(JSON.parse(later));
      }),
    );
  });

  test("is read as the later release itself wrote it too, and every one of its words is kept", () => {
    fc.assert(
      fc.property(state("plain"), (written) => {
        const later = plainly(tomorrow(encodeState(written)));
        const kept = encodeState(read(later));
        const words = (text: string): readonly string[] => text.match(/"new-[a-z-]+"/g) ?? [];
        expect(words(kept).toSorted()).toEqual(words(later).toSorted());
        expect(words(encodeState(read(kept))).toSorted()).toEqual(words(kept).toSorted());
      }),
    );
  });

  test("never outgrows its cap: what is only carried goes first", () => {
    const long = "x".repeat(900);
    const crowded = JSON.parse(encodeState({ ...read(stateOf({})), step: cutOff("install") })) as Record<string, unknown>;
    const pass = {
      ...passOf({ steps: Array.from({ length: 20 }, () => ({ step: "install", ms: 1, long })) }),
      recovered: { step: "install", served: "1.2.3", ended: "undone", long },
      outcome: { kind: "stopped", fault: { ...unhealthy, message: '"'.repeat(800), long, causes: ['"'.repeat(300)] }, long },
      id: '"'.repeat(250),
    };
    const passes = Array.from({ length: 10 }, () => pass);
    const found = read(JSON.stringify({ ...crowded, passes, novelty: "y".repeat(30_000), more: "z".repeat(30_000) }));
    const encoded = encodeState(found);
    expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(longestStateBytes);
    expect(encoded).toContain("y".repeat(30_000));
    expect(encoded).not.toContain("z".repeat(100));
    const wide = encodeState(read(JSON.stringify({ ...crowded, passes }).replaceAll(long, "€".repeat(900))));
    expect(Buffer.byteLength(wide)).toBeLessThanOrEqual(longestStateBytes);
    expect(wide).not.toContain("€");
    expect(encodeState(read(stateOf({ novelty: "y".repeat(2000) })))).toBe(encodeState(read(stateOf({}))));
  });

  test("carries nothing that is nested to no end, and no word that is none", () => {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    const kept = encodeState(read(stateOf({ deep: "?", fine: [[1]] }).replace('"?"', deep)));
    expect(kept).not.toContain("deep");
    expect(kept).toContain("fine");
    expect(decodeState(stateOf({ outcome: { kind: "w".repeat(65) } })).kind).toBe("unreadable");
    expect(decodeState(stateOf({ outcome: { kind: "" } })).kind).toBe("unreadable");
  });

  test("keeps what it does not know when something that is known changes", () => {
    const changed = forgetFailures(
      read(JSON.stringify({ ...JSON.parse(stateOf({})), novelty: 1, later: { kept: 5, other: 6 } })),
    );
    expect(JSON.parse(encodeState(changed))).toMatchObject({ novelty: 1, later: { other: 6 } });
    expect(encodeState(changed)).not.toContain('"kept": 5');
  });

  test.each([
    ["a step", { step: "dance" }],
    ["a movement", { movement: "sideways" }],
    ["a cause", { cause: { step: "install", fault: { ...unhealthy, code: "mystery" } } }],
  ])("is unreadable where %s of the move in hand is not known: nobody could go on from it", (_, change) => {
    const whole = JSON.parse(encodeState({ ...read(stateOf({})), step: cutOff("install") })) as { step: object };
    expect(decodeState(JSON.stringify({ ...whole, step: { ...whole.step, ...change } })).kind).toBe("unreadable");
    const later = { ...whole.step, later: change };
    const taken = decodeState(JSON.stringify({ ...whole, step: later }));
    expect(taken).toMatchObject({ kind: "read", value: { step: { step: "install" } } });
    expect(taken.kind === "read" && encodeState(taken.value)).not.toContain("later");
  });
});

describe("the metrics of a state of tomorrow", () => {
  test("say its words, and are the same but for them", () => {
    const merged = mergeSettings([]);
    if (merged.kind === "faults") throw new Error("no settings");
    const { settings } = merged;
    const schedule = { schedule: { kind: "missing" }, modifiedAt: undefined } as const;
    const text = (found: string): string => metricsText({ now: 5, release: "0.1.0", state: read(found), settings, schedule });
    fc.assert(
      fc.property(state("plain"), (written) => {
        const encoded = encodeState(written);
        expect(text(tomorrow(encoded)).replaceAll("new-", "")).toBe(text(inOwnPlaces(encoded)));
      }),
    );
    const fault = { ...unhealthy, code: "mystery" };
    expect(text(stateOf({ decision: { kind: "stop", fault }, outcome: { kind: "lost", fault } }))).toContain(
      'svc_upgrade_decision{kind="stop",why="mystery"} 1',
    );
    expect(text(stateOf({ outcome: { kind: "lost", fault } }))).toContain('svc_upgrade_outcome{kind="lost",fault="mystery"} 1');
  });
});

describe("a word of tomorrow", () => {
  test.each([
    ["a decision with a fault", { decision: { kind: "wait", fault: unhealthy } }, { decision: { kind: "stop" } }],
    ["a decision of no kind that is known", { decision: { kind: "wait", for: 1 } }, { decision: { kind: "stay", why: "held" } }],
    [
      "a movement",
      { decision: { kind: "move", why: "mood", told: "t", target: { kind: "sideways", to: "1.2.3" } } },
      { decision: { kind: "move", why: "asked", target: { kind: "install", to: "1.2.3" } } },
    ],
    ["an outcome with a fault", { outcome: { kind: "lost", fault: unhealthy } }, { outcome: { kind: "stopped" } }],
    ["an outcome", { outcome: { kind: "postponed", until: 7 } }, { outcome: { kind: "stayed" } }],
    [
      "a rollback that was none",
      { outcome: { kind: "failed", step: "health", fault: unhealthy, back: { kind: "lost", at: 1 } } },
      { outcome: { kind: "failed", step: "health", back: { kind: "not-tried" } } },
    ],
    ["a fault", { outcome: { kind: "stopped", fault: { ...unhealthy, code: "mystery" } } }, { outcome: { kind: "stopped" } }],
    ["an end", { recovered: { step: "dance", served: "1.2.3", ended: "well" } }, { recovered: { ended: "finished" } }],
  ])("in %s is kept, and something that is known stands for it", (_, change, expected) => {
    const [found] = read(stateOf(change)).passes;
    expect(found).toMatchObject(expected);
    const written = JSON.parse(encodeState(read(stateOf(change)))) as { readonly passes: readonly object[] };
    expect(written.passes[0]).toMatchObject(expected);
    expect(read(encodeState(read(stateOf(change))))).toEqual(read(stateOf(change)));
  });

  test("is known where this release can read it", () => {
    const [found] = read(stateOf({ outcome: { kind: "stopped", later: { kind: "stayed" }, fault: unhealthy } })).passes;
    expect(found?.outcome.kind).toBe("stayed");
    expect(isKnown(found!.outcome, "kind")).toBe(true);
    const [other] = read(stateOf({ outcome: { kind: "stayed", later: { kind: "moved" } } })).passes;
    expect(other?.outcome).toMatchObject({ kind: "stayed" });
    expect(asWritten(other!.outcome, "kind")).toBe("moved");
  });

  test("is shown as it was written, on one printable line", () => {
    const [found] = read(stateOf({ outcome: { kind: "post\u001b[1mponed" } })).passes;
    expect(isKnown(found!.outcome, "kind")).toBe(false);
    expect(asWritten(found!.outcome, "kind")).toBe("post [1mponed");
  });
});
