import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeQueue } from "../../../src/cluster/auth/queue.ts";

const limits = { atOnce: 2, waiting: 8, waitingOfOne: 4 };

type Given = { readonly owner: string; readonly end: (how: "done" | "failed") => void; readonly settled: Promise<string> };

/** Works that a test ends when it likes, in the order in which they began. */
function staged(queue = makeQueue(limits)): {
  readonly give: (owner: string) => Given;
  readonly begun: string[];
  readonly running: () => number;
} {
  const begun: string[] = [];
  let running = 0;
  return {
    begun,
    running: () => running,
    give: (owner) => {
      const ends = Promise.withResolvers<void>();
      const work = async (): Promise<void> => {
        begun.push(owner);
        running += 1;
        try {
          await ends.promise;
        } finally {
          running -= 1;
        }
      };
      const settled = queue.run(owner, work).then(
        () => "done",
        (thrown: unknown) => (thrown as { code?: string }).code ?? "failed",
      );
      return { owner, settled, end: (how) => (how === "done" ? ends.resolve() : ends.reject(new Error("failed"))) };
    },
  };
}

test("owners take turns, whatever one of them asks for, and after a fault too", async () => {
  const { give, begun } = staged();
  const greedy = [1, 2, 3, 4, 5].map(() => give("a"));
  const [one, two] = [give("b"), give("c")];
  await setImmediate();
  expect(begun).toEqual(["a", "a"]);
  greedy[0]?.end("failed");
  await setImmediate();
  greedy[1]?.end("done");
  await setImmediate();
  expect(begun).toEqual(["a", "a", "a", "b"]);
  for (const given of [...greedy, one, two]) given.end("done");
  expect(await Promise.all([...greedy, one, two].map(({ settled }) => settled))).toEqual([
    "failed",
    "done",
    "done",
    "done",
    "done",
    "done",
    "done",
  ]);
  expect(begun).toEqual(["a", "a", "a", "b", "c", "a", "a"]);
});

test("one has no more waiting than it may, and makes room for whoever has nothing", async () => {
  const { give } = staged();
  const a = [1, 2, 3, 4, 5, 6, 7].map(() => give("a"));
  expect(await a[6]?.settled).toBe("auth-busy");
  const b = [1, 2, 3, 4].map(() => give("b"));
  // All eight places are taken: the last of whoever has most is sent away.
  const late = give("c");
  const away = await Promise.race([...a.slice(2, 6), ...b].map(async ({ owner, settled }) => `${owner} ${await settled}`));
  expect(away).toMatch(/^[ab] auth-busy$/);
  for (const given of [...a, ...b, late]) given.end("done");
  expect(await late.settled).toBe("done");
});

test("never runs more at once than it may, keeps no more waiting, and leaves nobody behind", async () => {
  const asks = fc.array(fc.oneof(fc.constantFrom("a", "b", "c", "d", "e"), fc.constant("end")), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(asks, async (steps) => {
      const { give, running, begun } = staged();
      const given: Given[] = [];
      let ended = 0;
      for (const step of steps) {
        if (step === "end") given[ended++]?.end("done");
        else given.push(give(step));
        await setImmediate();
        expect(running()).toBeLessThanOrEqual(limits.atOnce);
      }
      for (const one of given) one.end("done");
      const outcomes = await Promise.all(given.map(({ settled }) => settled));
      expect(outcomes.filter((one) => one === "done")).toHaveLength(begun.length);
      expect(outcomes.every((one) => one === "done" || one === "auth-busy")).toBe(true);
    }),
    { numRuns: 50 },
  );
});
