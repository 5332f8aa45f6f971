import { expect, test } from "vitest";
import { SpareTime } from "../../../src/machine/listening/spare-time.ts";

/** So many pieces of one kind; its name is noted for each. */
function work(spare: SpareTime, { name, pieces, done }: { name: string; pieces: number; done: string[] }): () => void {
  let left = pieces;
  return spare.spend(() => {
    if (left === 0) return false;
    left -= 1;
    done.push(name);
    return true;
  });
}

test("two kinds of work are done in turn, each to its end", async () => {
  const spare = new SpareTime(() => 0);
  const done: string[] = [];
  const [one] = [work(spare, { name: "one", pieces: 2, done }), work(spare, { name: "other", pieces: 4, done })];
  one();
  expect(done).toEqual([]);
  await expect.poll(() => done).toEqual(["one", "other", "one", "other", "other", "other"]);
});

test("where new connections come all the time it is done all the same, a piece at a time", async () => {
  let accepted = 0;
  const spare = new SpareTime(() => (accepted += 1));
  const done: string[] = [];
  work(spare, { name: "one", pieces: 5, done })();
  await expect.poll(() => done.length).toBe(5);
});
