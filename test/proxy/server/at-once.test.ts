import fc from "fast-check";
import { expect, test } from "vitest";
import { AtOnce, type Taken } from "../../../src/proxy/server/at-once.ts";

type Named = { readonly name: string; readonly taken: Taken | undefined };

function staged(limits = { atOnce: 8, atOnceOfOne: 4 }): {
  readonly take: (from: string, size?: number) => Named;
  readonly lost: string[];
} {
  const room = new AtOnce(limits);
  const lost: string[] = [];
  const counts = new Map<string, number>();
  return {
    lost,
    take: (from, size = 1) => {
      const count = (counts.get(from) ?? 0) + 1;
      counts.set(from, count);
      const name = `${from}${count}`;
      const taken = room.take(from, () => lost.push(name));
      const isWhole = size === 1 || taken?.takeMore(size - 1) === true;
      if (!isWhole) taken?.giveBack();
      return { name, taken: isWhole ? taken : undefined };
    },
  };
}

test("one address has no more than its share, and has it again once it gave some back", () => {
  const { take, lost } = staged();
  const all = [1, 2, 3, 4, 5].map(() => take("a").taken);
  expect(all.map((taken) => taken !== undefined)).toEqual([true, true, true, true, false]);
  all[0]?.giveBack();
  all[0]?.giveBack();
  expect([take("a").taken !== undefined, take("a").taken]).toEqual([true, undefined]);
  expect(lost).toEqual([]);
});

test("where room runs out, the address with the most loses its newest, and each keeps one", () => {
  const { take, lost } = staged();
  for (const from of ["a", "a", "a", "a", "b", "b", "b", "b"]) take(from);
  for (const from of ["c", "d", "e", "f", "g", "h"]) expect(take(from).taken).toBeDefined();
  expect(lost).toEqual(["a4", "b4", "a3", "b3", "a2", "b2"]);
  // Eight addresses have one each: a ninth has to wait, and none may have two.
  expect([take("i").taken, take("a").taken]).toEqual([undefined, undefined]);
  expect(lost).toHaveLength(6);
});

test("who takes much loses it to who takes little, and cannot take more of what was lost", () => {
  const { take, lost } = staged({ atOnce: 100, atOnceOfOne: 100 });
  const large = take("a", 60);
  take("b", 30);
  expect(take("c", 20).taken).toBeDefined();
  expect([lost, large.taken?.takeMore(1)]).toEqual([["a1"], false]);
  large.taken?.giveBack();
  // Sixty would be the most.
  expect([take("a", 60).taken, lost]).toEqual([undefined, ["a1"]]);
  expect(take("a", 50).taken).toBeDefined();
});

test("never holds more than it may, and keeps nobody out who has less than others", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.boolean()), { maxLength: 80 });
  fc.assert(
    fc.property(steps, (all) => {
      const { take, lost } = staged();
      let held: { readonly from: string; readonly named: Named }[] = [];
      const of = (one: string): number => held.filter(({ from }) => from === one).length;
      for (const [from, isEnd] of all) {
        const before = held.map((one) => of(one.from));
        if (isEnd) held.find((one) => one.from === from)?.named.taken?.giveBack();
        const named = isEnd ? undefined : take(from);
        if (isEnd) held = held.filter((one) => one !== held.find((other) => other.from === from));
        else if (named?.taken !== undefined) held = [...held, { from, named }].filter((one) => !lost.includes(one.named.name));
        else expect(of(from) === 4 || Math.max(...before) <= of(from) + 1).toBe(true);
        expect(held.length).toBeLessThanOrEqual(8);
      }
    }),
  );
});
