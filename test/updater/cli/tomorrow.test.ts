import { encode } from "../../../src/rules/shape/write.ts";
import { describe, expect, test } from "vitest";
import { paintFor } from "../../../src/updater/cli/screen/paint.ts";
import { renderStatus } from "../../../src/updater/cli/screen/status.ts";
import { statusAnswer } from "../../../src/updater/cli/json/status.ts";
import { decodeState } from "../../../src/updater/record/decode-state.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import type { State } from "../../../src/updater/record/state.ts";
import { plainly, tomorrow } from "../record/tomorrow.ts";
import { viewGiven } from "../status/given.ts";
import { complaints } from "./documented.ts";
import { fullMemory } from "./full-memory.ts";

function read(found: string): State {
  const reading = decodeState(found);
  if (reading.kind === "unreadable") throw new Error(reading.why);
  return reading.value;
}

const screen = (state: State): string =>
  renderStatus(viewGiven({ state }), { zone: "UTC", paint: paintFor("other", { environment: {} }) });
const json = (state: State): string => JSON.stringify(encode(statusAnswer, viewGiven({ state })));

const today = encodeState(fullMemory);
const later = read(tomorrow(today));

describe("the status of a host that went back from a later release", () => {
  test("shows that release's words where they were written, and the rest as ever", () => {
    const words = (text: string): string => text.replaceAll("new-", "");
    expect(json(later)).toContain('"outcome":{"kind":"new-undone"');
    // What follows from a word, a link of words among it, is told by the word alone.
    expect(JSON.parse(words(json(later)))).toEqual(JSON.parse(json(read(today))));
    expect(screen(later)).toContain("new-undone");
    expect(screen(later)).not.toBe(screen(read(today)));
  });

  test.each([
    ["beside", later],
    ["in the places of", read(plainly(tomorrow(today)))],
    ["none but", read(today)],
  ])("agrees with the schema, with new words %s the old ones", (_, state) => {
    expect(complaints("status", JSON.parse(json(state)))).toEqual([]);
  });

  test("has words for every part of a pass", () => {
    const fault = { code: "mystery", message: "m", hint: "h", causes: [] };
    const pass = {
      id: "p",
      startedAt: 1,
      seconds: 2,
      decision: { kind: "stay", why: "mood", told: "t" },
      outcome: { kind: "stayed" },
    };
    const target = { kind: "sideways", to: "15.4.6" };
    const move = { kind: "move", why: "mood", told: "t", target };
    const rows: readonly (readonly [object, string])[] = [
      [{}, "stayed: mood"],
      [{ outcome: { kind: "postponed" } }, "postponed"],
      [{ outcome: { kind: "stopped", fault } }, "fault: mystery"],
      [{ outcome: { kind: "failed", step: "dance", fault } }, "failed at dance: mystery"],
      [{ outcome: { kind: "undone", left: "2", to: "1", seconds: 1, step: "dance", fault } }, "undone at dance: mystery"],
      [{ decision: move, outcome: { kind: "moved", from: "1", to: "2", seconds: 1 } }, "sideways from 1 to 2"],
      [{ decision: move, outcome: { kind: "moved", to: "2", seconds: 1 } }, "sideways to 2"],
      [{ recovered: { step: "dance", served: "1.2.3", ended: "well" } }, "ended a cut-off dance (well); stayed: mood"],
    ];
    for (const [change, told] of rows) {
      const state = read(JSON.stringify({ schema: 1, rejected: [], moveSeconds: [], passes: [{ ...pass, ...change }] }));
      expect(screen(state).replace(/\s+/g, " ")).toContain(`: ${told}, 2 s`);
      expect(complaints("status", JSON.parse(json(state)))).toEqual([]);
    }
  });
});
