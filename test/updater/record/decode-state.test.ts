import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeState } from "../../../src/updater/record/decode-state.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState } from "../../../src/updater/record/state.ts";
import { state } from "./arbitrary.ts";

const minimal = { schema: 1, rejected: [], moveSeconds: [], passes: [] };
const pass = {
  id: "p",
  startedAt: 1,
  seconds: 1,
  decision: { kind: "stay", why: "current", told: "t" },
  outcome: { kind: "stayed" },
};
const failure = { kind: "failed", step: "health", fault: { code: "unhealthy", message: "m", hint: "h", causes: [] } };

describe("a state that is read", () => {
  test("may hold keys that a newer version added", () => {
    const newer = { ...minimal, novelty: { any: 1 }, agent: { bootId: "b", restarts: 0, unhealthyPasses: 0, novelty: true } };
    expect(decodeState(JSON.stringify(newer))).toMatchObject({
      kind: "read",
      value: { ...emptyState, agent: { bootId: "b", restarts: 0, unhealthyPasses: 0 } },
    });
  });

  test("may be of a version that knew neither steps, nor channels, nor kept packages, nor a rollback, nor the end of a hold", () => {
    const move = { kind: "move", why: "window", told: "t", target: { kind: "upgrade", from: "15.4.5", to: "15.4.6" } };
    const moved = { kind: "moved", from: "15.4.5", to: "15.4.6", seconds: 3 };
    const step = { pass: "p", step: "install", startedAt: 1, served: "15.4.6", from: "15.4.5", to: "15.4.6" };
    const older = { ...minimal, passes: [{ ...pass, decision: move, outcome: moved }], step };
    const read = decodeState(JSON.stringify(older));
    expect(read).toEqual({
      kind: "read",
      value: {
        ...emptyState,
        passes: [{ ...pass, decision: move, outcome: moved, channel: undefined, steps: [], recovered: undefined }],
        step: { ...step, movement: "upgrade", why: "window", hold: "none", recoveries: 0, done: [] },
      },
    });
    expect(read.kind === "read" && Object.keys(read.value.passes[0]!.decision)).toEqual(["kind", "why", "told", "target"]);
  });

  test("may hold a failure of a version that kept no evidence and knew no rollback", () => {
    const read = decodeState(JSON.stringify({ ...minimal, passes: [{ ...pass, outcome: failure }] }));
    expect(read.kind === "read" && read.value.passes[0]?.outcome).toEqual({ ...failure, evidence: [], back: undefined });
  });

  test.each([[[]], [["15.4.6"]], [["15.4.6", "15.4.5", "15.4.4"]], ["15.4.6"]])(
    "names two versions that alternate, not %j",
    (between) => {
      const heard = { channel: "default", versions: [], alternation: { at: 1, between } };
      expect(decodeState(JSON.stringify({ ...minimal, heard }))).toMatchObject({
        kind: "unreadable",
        why: expect.stringMatching(/^heard\.alternation\.between/),
      });
    },
  );

  test.each([
    ["", "it is empty"],
    ["{", "it is not JSON"],
    [JSON.stringify({ ...minimal, schema: 2 }), "schema is not 1"],
    [JSON.stringify({ schema: 1 }), "rejected is not a list"],
    [JSON.stringify({ ...minimal, moveSeconds: [1, 2, 3, 4, 5, 6] }), "moveSeconds is not a list of at most 5"],
    ['{"schema":1,"rejected":[],"moveSeconds":[1e999],"passes":[]}', "moveSeconds[0] is not a number"],
    [JSON.stringify({ ...minimal, rescuedFor: "one" }), "rescuedFor is not a semantic version"],
    [
      JSON.stringify({ ...minimal, repair: { to: "1.2.3", attempts: -1 } }),
      "repair.attempts is not a whole number from 0 to 9007199254740991",
    ],
    [
      JSON.stringify({ ...minimal, needsOperator: { at: 1, why: "w".repeat(1002) } }),
      "needsOperator.why is not a text of at most 1001 characters",
    ],
    [
      JSON.stringify({ ...minimal, lastContact: { at: 1, served: "nothing", isCritical: false } }),
      "lastContact.served is not a semantic version or none",
    ],
    [
      JSON.stringify({ ...minimal, passes: [{ ...pass, outcome: {} }] }),
      "passes[0].outcome.kind is not one of stayed, moved, stopped, failed, undone",
    ],
    [
      JSON.stringify({ ...minimal, step: { pass: "p", step: "install", startedAt: 1, served: "1.2.3", to: "--option" } }),
      "step.to is not a package version",
    ],
    [
      JSON.stringify({ ...minimal, previous: { version: "1.2.3", packageVersion: "--option", leftAt: 1 } }),
      "previous.packageVersion is not a package version",
    ],
    [
      JSON.stringify({
        ...minimal,
        passes: [{ ...pass, steps: Array.from({ length: 21 }, () => ({ step: "install", ms: 1 })) }],
      }),
      "passes[0].steps is not a list of at most 20",
    ],
    [
      JSON.stringify({
        ...minimal,
        passes: [
          {
            ...pass,
            decision: { kind: "move", why: "rollback", told: "t", target: { kind: "install", to: "1.2.3" }, exactly: "-y" },
          },
        ],
      }),
      "passes[0].decision.exactly is not a package version",
    ],
    [
      JSON.stringify({ ...minimal, kept: [{ packageVersion: "1-1", file: "a.deb", sha256: "0", bytes: -1 }] }),
      "kept[0].bytes is not a whole number from 0 to 9007199254740991",
    ],
    [
      JSON.stringify({ ...minimal, passes: [{ ...pass, outcome: { ...failure, evidence: [1, 2, 3, 4, 5, 6] } }] }),
      "passes[0].outcome.evidence is not a list of at most 5",
    ],
    ['{"__proto__":{"schema":1,"rejected":[],"moveSeconds":[],"passes":[]}}', "schema is not 1"],
  ])("is unreadable as a whole: %s", (found, why) => {
    expect(decodeState(found)).toEqual({ kind: "unreadable", why });
  });

  test("never crashes on a state with one piece torn out or replaced", () => {
    fc.assert(
      fc.property(state("plain"), fc.nat(), fc.nat({ max: 40 }), (written, from, length) => {
        const encoded = encodeState(written);
        const start = from % encoded.length;
        const torn = encoded.slice(0, start) + encoded.slice(start + length);
        expect(["read", "unreadable"]).toContain(decodeState(torn).kind);
      }),
    );
  });
});
