import { expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { whenFree, type Tried } from "../../../../src/updater/package/call/patience.ts";

const held = new Fault("manager-busy", { message: "held", hint: "wait" });

/** Busy so many times, then done; and how often it was tried. */
function trying(busyTimes: number): { attempt: () => Promise<Tried<string>>; tries: () => number } {
  let tries = 0;
  return {
    attempt: async () => ((tries += 1) > busyTimes ? { kind: "done", value: "done" } : { kind: "busy", busy: () => held }),
    tries: () => tries,
  };
}

test.each([
  [0, 1],
  [2, 3],
  [3, 4],
])("one that is at work for %d tries is waited for", async (busyTimes, tries) => {
  const made = trying(busyTimes);
  expect(await whenFree({ forMs: 3, everyMs: 1 }, made.attempt)).toBe("done");
  expect(made.tries()).toBe(tries);
});

test("time passes between two tries: whoever ends meanwhile is waited for", async () => {
  let isThere = true;
  setTimeout(() => (isThere = false), 20);
  const attempt = async (): Promise<Tried<string>> =>
    isThere ? { kind: "busy", busy: () => held } : { kind: "done", value: "done" };
  expect(await whenFree({ forMs: 4000, everyMs: 5 }, attempt, () => isThere)).toBe("done");
});

test("a longer one is named once the time is up", async () => {
  const made = trying(4);
  await expect(whenFree({ forMs: 3, everyMs: 1 }, made.attempt)).rejects.toBe(held);
  expect(made.tries()).toBe(4);
});

test("nothing is tried while it can be seen to be at work, but for once at the end", async () => {
  const made = trying(9);
  await expect(whenFree({ forMs: 3, everyMs: 1 }, made.attempt, () => true)).rejects.toBe(held);
  expect(made.tries()).toBe(2);
});
