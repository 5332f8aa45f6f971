import fc from "fast-check";
import { expect, test } from "vitest";
import { makeProofMemory, type Remembered } from "../../../src/cluster/auth/proof-memory.ts";
import { freshSeconds } from "../../../src/cluster/identity/proof.ts";

const began = 1_767_614_400;
const limits = { most: 10, mostOfOne: 4 };

test("one that was used is known until it is too old to be taken", () => {
  const memory = makeProofMemory(began);
  const used = { owner: "a", id: "1", made: began };
  expect(memory.remember({ ...used, now: began })).toBe("new");
  for (const later of [0, 1, freshSeconds]) expect(memory.remember({ ...used, now: began + later })).toBe("used");
  expect(memory.remember({ ...used, owner: "b", now: began })).toBe("new");
  expect(memory.remember({ owner: "a", id: "2", made: began + 61, now: began + freshSeconds + 1 })).toBe("new");
  expect(memory.size()).toBe(1);
  expect(memory.remember({ ...used, now: began + freshSeconds + 1 })).toBe("forgotten");
});

test("what was made before the start may have been used then", () => {
  const memory = makeProofMemory(began);
  expect(memory.remember({ owner: "a", id: "1", made: began - 1, now: began })).toBe("forgotten");
  expect(memory.remember({ owner: "a", id: "1", made: began, now: began })).toBe("new");
});

test("a clock that was set back lets nothing be used twice, and nobody wait for long", () => {
  const memory = makeProofMemory(began);
  const used = { owner: "a", id: "1", made: began };
  memory.remember({ ...used, now: began });
  const ahead = began + 86_400;
  memory.remember({ owner: "a", id: "2", made: ahead, now: ahead });
  memory.remember({ owner: "a", id: "3", made: ahead + 100, now: ahead + 100 });
  expect(memory.remember({ ...used, now: began + 1 })).not.toBe("new");
  expect(memory.remember({ owner: "a", id: "4", made: began + 2, now: began + 2 })).toBe("new");
});

test("one does not use up the room of the others, and has room again when its own are old", () => {
  const memory = makeProofMemory(began, limits);
  const remember = (owner: string, count: number, now = began): readonly Remembered[] =>
    Array.from({ length: count }, (_, index) => memory.remember({ owner, id: `${now} ${index}`, made: now, now }));
  expect(remember("a", 5)).toEqual(["new", "new", "new", "new", "full"]);
  expect(remember("b", 4)).toEqual(["new", "new", "new", "new"]);
  expect(remember("c", 3)).toEqual(["new", "new", "full"]);
  expect(remember("a", 1, began + freshSeconds + 1)).toEqual(["new"]);
});

test("whatever comes in which order, nothing fresh is taken twice, and what is kept has a bound", () => {
  const call = fc.record({
    owner: fc.constantFrom("a", "b", "c"),
    id: fc.nat({ max: 5 }),
    away: fc.integer({ min: -freshSeconds, max: freshSeconds }),
    later: fc.integer({ min: -90, max: 90 }),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 150 }), (calls) => {
      const memory = makeProofMemory(began, limits);
      const taken = new Set<string>();
      let now = began;
      for (const { owner, id, away, later } of calls) {
        now += later;
        const made = now + away;
        const remembered = memory.remember({ owner, id: String(id), made, now });
        const key = `${owner} ${id} ${made}`;
        if (remembered === "new") {
          expect(taken.has(key)).toBe(false);
          taken.add(key);
        }
        expect(memory.size()).toBeLessThanOrEqual(limits.most);
      }
    }),
  );
});
