import { describe, expect, test } from "vitest";
import { tellRecovered, tellStep, tellUndone } from "../../../src/updater/sentences/step.ts";
import type { Recovered } from "../../../src/updater/record/state.ts";
import { carrying } from "../../../src/rules/shape/unknown-keys.ts";
import { fault, packaged, served } from "../record/given.ts";

const installing = { step: "install", served } as const;

/** As it is read from a file of a later release, whose word this one does not know. */
function written<T extends object>(record: T, later: Readonly<Partial<Record<keyof T, string>>>): T {
  return carrying(record, { later, strangers: {} });
}

describe("a step is told", () => {
  test("by what is done in it", () => {
    expect(tellStep(installing)).toBe("installing 15.4.6");
  });

  test("by its name where only a later release knows it", () => {
    expect(tellStep(written(installing, { step: "rehearse" }))).toBe("at the step rehearse, on the way to 15.4.6");
  });
});

describe("a move that was rolled back is told", () => {
  const undone = { kind: "undone", left: packaged, to: "15.4.5-1", seconds: 60, step: "health", evidence: [] } as const;

  test("with its step and its fault", () => {
    expect(tellUndone({ ...undone, fault: fault("unhealthy") })).toBe(
      "failed at the step health (unhealthy), rolled back to 15.4.5-1",
    );
  });

  test("in the words of the later release that did it", () => {
    const told = tellUndone(
      written({ ...undone, fault: written(fault("unhealthy"), { code: "restless" }) }, { step: "rehearse" }),
    );
    expect(told).toBe("failed at the step rehearse (restless), rolled back to 15.4.5-1");
  });
});

describe("what became of a move that did not finish is told", () => {
  const start = "an earlier pass did not finish (it was installing 15.4.6): ";

  test.each<[Recovered["ended"], string]>([
    ["unchanged", "the previous version is in place"],
    ["finished", "the move was finished"],
    ["undone", "the move was rolled back"],
    ["not-mended", "it could not be repaired"],
  ])("where it is %s", (ended, told) => {
    expect(tellRecovered({ ...installing, ended })).toBe(`${start}${told}`);
  });

  test("in the word of the later release that ended it", () => {
    expect(tellRecovered(written({ ...installing, ended: "finished" }, { ended: "postponed" }))).toBe(`${start}postponed`);
  });
});
