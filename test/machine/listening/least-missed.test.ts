import { describe, expect, test } from "vitest";
import { leastMissed } from "../../../src/machine/listening/least-missed.ts";

type Open = {
  readonly from: string;
  readonly lastAsked: number;
  readonly unanswered: number;
  readonly socket: { writableLength: number };
};

/** One letter for the address, and the number of its last question; with a ? it waits for us, with a ! it reads nothing. */
function open(written: string): Open {
  const [, from = "", lastAsked, mark] = /^([a-z])(\d+)([?!]?)$/.exec(written) ?? [];
  return {
    from,
    lastAsked: Number(lastAsked),
    unanswered: mark === "" ? 0 : 1,
    socket: { writableLength: mark === "!" ? 9 : 0 },
  };
}

function missed(all: string, count: number): string {
  const connections = all.split(" ").map((written) => ({ ...open(written), written }));
  return leastMissed(connections, count)
    .map(({ written }) => written)
    .join(" ");
}

describe("where there are too many connections, those are closed", () => {
  test.each([
    ["that are the oldest of the address with the most", "a1 b2 b3 b4 a5", 2, "b2 a1"],
    ["of the others too, once it has no more than they", "a1 a2 b3 b4 b5 b6", 4, "b3 b4 a1 b5"],
    ["that were quiet for longest, where each has one", "c3 a1 d4 b2", 2, "a1 b2"],
    ["that do not read what they are answered", "a1? b2? a3! b4", 1, "a3!"],
    ["but none that waits for its answer, though its address has the most", "a1? a2? a3? b4 a5", 3, "a5 b4"],
    ["and none where all wait", "a1? a2? b3?", 2, ""],
    ["and no more than there are", "a1 b2", 9, "a1 b2"],
  ])("%s", (_which, all, count, closed) => {
    expect(missed(all, count)).toBe(closed);
  });
});
