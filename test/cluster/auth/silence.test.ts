import { describe, expect, test } from "vitest";
import { absencesIn, noteTaking } from "../../../src/cluster/auth/absence.ts";
import { authLimits } from "../../../src/cluster/auth/limits.ts";
import { isForgotten, standingOf } from "../../../src/cluster/auth/silence.ts";
import { askAt } from "./ask.ts";
import { call, startWithHosts, type Answered, type Host, type WithHosts } from "./hosts.ts";
import { monday, startRunning, startBeside } from "./running.ts";

const [minute, hour, day] = [60, 3600, 86_400];
const interval = 10 * minute;

describe("the time in which auth takes reports", () => {
  const { lookMs } = authLimits;

  test("has an absence where no look came in time, and is the same for every auth", async () => {
    await using running = await startRunning();
    const note = (at: number): Promise<void> => noteTaking(running.store, { now: monday + at, limits: { lookMs } });
    for (const at of [60, 120, 241]) await note(at);
    expect(await absencesIn(running.store)).toEqual([]);
    await Promise.all([note(day), note(day), note(day)]);
    await note(day + 60);
    const night = { from: monday + 241, until: monday + day };
    expect(await absencesIn(running.store)).toEqual([night]);
    // Two auths of which one is ten minutes ahead.
    for (const at of [660, 120, 720, 180]) await note(day + at);
    expect(await absencesIn(running.store)).toEqual([night, { from: monday + day + 60, until: monday + day + 660 }]);
    // A clock that was wrong, and the looks after it.
    for (const at of [hour, hour + 60, 2 * hour]) await note(at);
    expect((await absencesIn(running.store)).slice(2)).toEqual([{ from: monday + hour + 60, until: monday + 2 * hour }]);
  });

  test("is bounded: the newest hundred absences of 90 days", async () => {
    await using running = await startRunning();
    for (let at = 1; at <= 120; at += 1) {
      await noteTaking(running.store, { now: monday + at * hour, limits: { lookMs } });
    }
    const found = await absencesIn(running.store);
    expect([found.length, found.at(-1)?.until]).toEqual([100, monday + 120 * hour]);
    await noteTaking(running.store, { now: monday + 200 * day, limits: { lookMs } });
    expect(await absencesIn(running.store)).toEqual([{ from: monday + 120 * hour, until: monday + 200 * day }]);
  });

  test("is what silence and forgetting are measured over", () => {
    const now = monday + 40 * day;
    const night = { from: now - day, until: now - hour };
    const reported = (ago: number): never =>
      ({ row: { kind: "node", renewed: 0, ephemeral: true }, report: { at: now - ago } }) as never;
    const standing = (ago: number, absences = [night]): unknown => {
      const judging = { now, reportSeconds: 25 * minute, absences };
      const { silent } = standingOf(reported(ago), judging);
      return [silent, isForgotten(reported(ago), judging)];
    };
    expect(standing(hour + 1)).toEqual([false, false]);
    // It was as long away as auth was there: before and after the night.
    expect(standing(day + 15 * minute)).toEqual([false, false]);
    expect(standing(day + 15 * minute + 1)).toEqual([true, true]);
    expect(standing(day, [])).toEqual([true, true]);
    // Of an absence that is not over by this clock, what is past counts.
    expect(standing(2 * hour, [{ from: now - hour - 45 * minute, until: now + day }])).toEqual([false, false]);
  });
});

test("after a day without auth nobody is silent, and then who does not come back is", async () => {
  await using running = await startWithHosts();
  const [host, lost] = [await running.join("node"), await running.join("node")];
  for (const one of [host, lost]) expect(await report(one)).toMatchObject({ status: 200 });
  await running.auth.stop();
  running.clock.ahead += day;
  const auth = await startBeside(running, { now: () => Math.floor(Date.now() / 1000) + running.clock.ahead });
  try {
    expect(await silentIds(auth.socketPath)).toEqual([]);
    running.clock.ahead += 2 * interval;
    const trusting = { ...host.trusting, port: auth.port };
    expect(await report({ ...host, trusting }, "2")).toMatchObject({ status: 200 });
    running.clock.ahead += interval + minute;
    expect(await silentIds(auth.socketPath)).toEqual([lost.id]);
  } finally {
    await auth.stop();
  }
});

test("a look that comes in time is noted", async () => {
  await using running = await startWithHosts({ limits: { lookMs: 20 } });
  const noted = async (): Promise<unknown> => (await running.store.get({ kind: "taking-reports", name: "all" }))?.body["taken"];
  const first = await noted();
  await expect.poll(noted).not.toBe(first);
  expect(await absencesIn(running.store)).toEqual([]);
});

function report(host: Host, counter = "1"): Promise<Answered> {
  return call(host.trusting, "InventoryService/Report", { bootId: "one", counter, hostname: "web1", services: ["node"] });
}

async function silentIds(socketPath: WithHosts["auth"]["socketPath"]): Promise<readonly string[]> {
  const { body } = await askAt(socketPath)("InventoryService/ListInventory", {});
  const { entries } = body as { readonly entries: readonly { readonly id: string; readonly silent?: boolean }[] };
  return entries.filter(({ silent }) => silent === true).map(({ id }) => id);
}
