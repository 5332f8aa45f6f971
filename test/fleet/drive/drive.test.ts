import { describe, expect, test } from "vitest";
import { instancesFor } from "../instances.ts";
import { scenarios } from "../scenario.ts";
import { parseTimerUnit } from "../timer/unit-file.ts";
import { drive, plannedLooks } from "./drive.ts";
import { freshAsker, keptAsker } from "./asker.ts";
import { measured } from "./measured.ts";
import { startDriven } from "./server.ts";
import { Turnstile } from "./turnstile.ts";

test("what was measured is what was noted", () => {
  const answers = Array.from({ length: 100 }, (_, index) => ({ endedMs: index < 70 ? 500 : 2000, tookMs: index + 1 }));
  const notes = { answers, lateMs: [0, 10], errors: ["refused"] };
  expect(measured(notes, { cpuSeconds: 0.202, peakKilobytes: 2048 })).toEqual({
    answered: 100,
    errors: ["refused"],
    meanPerSecond: 50,
    peakPerSecond: 70,
    latencyMs: { p50: 51, p99: 100 },
    lateMs: { p50: 10, p99: 10 },
    cpuSecondsPerRequest: 0.002,
    peakKilobytes: 2048,
  });
});

test.each([
  [0, 0.001, 1],
  [690, 0.001, 1],
  [701, 0.001, 2],
  [6900, 0.0002, 2],
])("%d requests a second of %d s each take %d instances", (requests, seconds, instances) =>
  expect(instancesFor(requests, seconds)).toBe(instances),
);

test("a turnstile lets so many through, and the others in their order", async () => {
  const turnstile = new Turnstile(2);
  const through: number[] = [];
  const all = [1, 2, 3, 4].map((name) => turnstile.enter().then(() => through.push(name)));
  await Promise.all(all.slice(0, 2));
  expect(through).toEqual([1, 2]);
  turnstile.leave();
  await all[2];
  expect(through).toEqual([1, 2, 3]);
  turnstile.leave();
  await all[3];
  expect(through).toEqual([1, 2, 3, 4]);
});

describe("a ride against a real svc-proxy", { timeout: 120_000 }, () => {
  test.each([
    ["https", freshAsker],
    ["http", keptAsker],
  ] as const)("over %s gets every answer and counts the server's time", async (scheme, askerOf) => {
    const timer = parseTimerUnit("[Timer]\nOnCalendar=*:0/10\nRandomizedDelaySec=5min\nAccuracySec=1s\n");
    const opening = scenarios.find(({ name }) => name === "window")!;
    const looks = plannedLooks({ ...opening, from: opening.event, until: opening.event + 600 }, { timer, hosts: 20, seed: 1 });
    const server = await startDriven(scheme);
    try {
      const result = await drive(looks, { ask: askerOf(server), processId: server.processId, speed: 3000, warmUpLooks: 3 });
      expect([result.answered, result.errors]).toEqual([40, []]);
      expect(result.peakKilobytes).toBeGreaterThan(0);
    } finally {
      await server.stop();
    }
  });
});
