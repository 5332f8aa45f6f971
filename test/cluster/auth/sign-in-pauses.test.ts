import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freeAttempts, makePauses, mostPauseSeconds, type Tried } from "../../../src/cluster/auth/sign-in-pauses.ts";

const now = 1_767_614_400;
const anna: Tried = { user: "anna", network: "203.0.113.7", now };

/** As somebody would who waits just as long as they are told to. */
function waits(pauses: ReturnType<typeof makePauses>, tried: Tried, times: number): readonly number[] {
  const waited: number[] = [];
  let at = tried.now;
  for (let time = 1; time <= times; time += 1) {
    const { waitSeconds } = pauses.begin({ ...tried, now: at });
    waited.push(waitSeconds);
    if (waitSeconds > 0) {
      at += waitSeconds;
      pauses.begin({ ...tried, now: at });
    }
  }
  return waited;
}

test("the first few are free, then each pause is twice as long, up to five minutes", () => {
  const waited = waits(makePauses(), anna, 14);
  expect(waited.slice(0, freeAttempts)).toEqual(Array.from({ length: freeAttempts }, () => 0));
  expect(waited.slice(freeAttempts)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
});

test("of many at once no more are looked at than one after the other", () => {
  const pauses = makePauses();
  const looked = Array.from({ length: 100 }, () => pauses.begin(anna)).filter(({ waitSeconds }) => waitSeconds === 0);
  expect(looked).toHaveLength(freeAttempts);
});

test("who was right has nothing to wait for, and what was not looked at does not count", () => {
  const pauses = makePauses();
  for (let time = 1; time < freeAttempts; time += 1) pauses.begin(anna);
  const last = pauses.begin(anna);
  last.takeBack();
  expect(pauses.begin(anna).waitSeconds).toBe(0);
  expect(pauses.begin(anna).waitSeconds).toBeGreaterThan(0);
  const later = { ...anna, now: now + mostPauseSeconds };
  pauses.begin(later).succeed();
  expect(waits(pauses, later, freeAttempts)).toEqual(Array.from({ length: freeAttempts }, () => 0));
});

test("it is forgotten after an hour, and a clock that was a year ahead pauses nobody for a year", () => {
  const pauses = makePauses();
  waits(pauses, anna, 12);
  expect(pauses.begin({ ...anna, now: now + 2 * 3600 }).waitSeconds).toBe(0);
  const ahead = makePauses();
  waits(ahead, { ...anna, now: now + 365 * 86_400 }, 8);
  expect(ahead.begin(anna).waitSeconds).toBe(0);
});

describe("whatever others try,", () => {
  const attempt = fc.record({
    user: fc.constantFrom("anna", "bob", "carl"),
    network: fc.constantFrom("198.51.100.1", "198.51.100.2", "2001:db8:0:0::/64"),
    later: fc.nat({ max: 30 }),
    isRight: fc.boolean(),
  });

  test("nobody at another address waits for it, however much it was", () => {
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 200 }), (attempts) => {
        const pauses = makePauses();
        let at = now;
        for (const { user, network, later, isRight } of attempts) {
          at += later;
          const { waitSeconds, succeed } = pauses.begin({ user, network, now: at });
          if (isRight && waitSeconds === 0) succeed();
        }
        for (const user of ["anna", "bob", "carl"]) {
          expect(pauses.begin({ user, network: "203.0.113.7", now: at }).waitSeconds).toBe(0);
        }
      }),
    );
  });

  test("what is remembered has a bound, and whoever tries many names waits all the same", () => {
    const pauses = makePauses({ mostNetworks: 5, mostUsers: 4 });
    for (let network = 0; network < 50; network += 1) {
      for (let user = 0; user < 20; user += 1) pauses.begin({ user: `user${user}`, network: String(network), now });
      expect(pauses.size()).toBeLessThanOrEqual(5 * 5);
    }
    expect(pauses.begin({ user: "one more", network: "49", now }).waitSeconds).toBeGreaterThan(0);
    expect(pauses.begin({ user: "one more", network: "50", now }).waitSeconds).toBe(0);
  });
});
