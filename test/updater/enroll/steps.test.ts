import { describe, expect, test } from "vitest";
import { runSteps, type Step } from "../../../src/updater/enroll/steps.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";

const full = new Fault("file-failed", { message: "the disk is full", hint: "make room" });

/** Steps a, b and c, of which some fail on their way there or back. */
function steps(failing: { readonly act?: string; readonly undo?: string }): {
  readonly list: readonly Step[];
  readonly log: string[];
} {
  const log: string[] = [];
  const list = ["a", "b", "c"].map((on) => ({
    on,
    act: () => {
      log.push(`do ${on}`);
      if (failing.act === on) throw full;
      return { what: "fragment", change: "made", on, told: on } as const;
    },
    undo: () => {
      log.push(`undo ${on}`);
      if (failing.undo === on) throw new Fault("os-failed", { message: "it does not answer", hint: "wait" });
    },
  }));
  return { list, log };
}

describe("steps", () => {
  test("are all done, in their order", async () => {
    const { list, log } = steps({});
    expect((await runSteps(list)).map(({ told }) => told)).toEqual(["a", "b", "c"]);
    expect(log).toEqual(["do a", "do b", "do c"]);
  });

  test.each([
    ["b", undefined, ["do a", "do b", "undo b", "undo a"], "the disk is full; what was done before was taken back"],
    ["a", undefined, ["do a", "undo a"], "the disk is full; nothing was changed"],
    [
      "c",
      "b",
      ["do a", "do b", "do c", "undo c", "undo b", "undo a"],
      "the disk is full; this stands and was not taken back: b (it does not answer)",
    ],
  ])("of which %s fails, and the rollback of %s, are taken back from the last", async (act, undo, order, message) => {
    const { list, log } = steps({ act, ...(undo === undefined ? {} : { undo }) });
    await expect(runSteps(list)).rejects.toMatchObject({ code: "file-failed", message, hint: "make room" });
    expect(log).toEqual(order);
  });
});
