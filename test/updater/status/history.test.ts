import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState } from "../../../src/updater/record/state.ts";
import { lookBack } from "../../../src/updater/status/history.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { current, cutOff, moved, pass, stayed, upgrade } from "../record/given.ts";

const paths = pathsBelow(scratchFolder());
mkdirSync(paths.stateDirectory, { recursive: true });
const quiet = pass(current, stayed).record;
const move = { ...pass(upgrade, moved).record, id: "m" };

test.each<[string, () => Promise<boolean>, boolean, number]>([
  ["by the unit", async () => true, true, 0],
  ["by nobody", async () => false, false, 0],
  ["by nobody knows whom", async () => Promise.reject(new Error("no bus")), false, 1],
])("a move in hand %s is told, with the passes since the last one", async (_, isUnitRunning, isRunning, notes) => {
  writeFileSync(paths.state, encodeState({ ...emptyState, step: cutOff("install"), passes: [quiet, quiet, move, quiet] }));
  const view = await lookBack(paths, { now: 7, isUnitRunning });
  expect(view).toMatchObject({ isRunning, step: { step: "install" }, entries: [{ id: "m" }] });
  expect([view.since.length, view.unread.length]).toEqual([2, notes]);
});

test("what cannot be read is told, and nothing else is the matter", async () => {
  writeFileSync(paths.state, "{ torn");
  writeFileSync(paths.history, "{ torn");
  const { entries, since, unread } = await lookBack(paths, { now: 7, isUnitRunning: async () => false });
  expect([entries, since]).toEqual([[], []]);
  expect(unread).toEqual([
    `the history cannot be read (it is not JSON), and the next move begins another one: ${paths.history}`,
    `what earlier passes left cannot be read: ${paths.state}`,
  ]);
});
