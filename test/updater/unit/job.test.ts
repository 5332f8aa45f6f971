import { describe, expect, test } from "vitest";
import type { Command, CommandResult, RunCommand } from "../../../src/machine/processes/command.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { doJob, type Job } from "../../../src/updater/unit/job.ts";
import { watchOf } from "./given.ts";

const unit = "svc.service" as UnitName;
const ok = (stdout: string = ""): CommandResult => ({ kind: "exited", status: 0, stdout, stderr: "" });
const lost: CommandResult = { kind: "exited", status: 1, stdout: "", stderr: "Warning! D-Bus connection terminated." };
const longAfter = "999999999999999";

type Look = { readonly active: string; readonly sub?: string; readonly job?: string; readonly begun?: string };

type Manager = {
  readonly how?: Job;
  /** What comes of each order. */
  readonly orders: readonly CommandResult[];
  /** What is seen afterwards, the last for ever. */
  readonly looks?: readonly Look[];
  readonly journal?: string;
};

/** What systemctl is told to do, and the end of it. */
async function carryOut({ how = "restart", orders, looks = [], journal = "" }: Manager): Promise<{
  readonly ordered: number;
  readonly seconds: number;
  readonly result: CommandResult;
}> {
  const { stopwatch, atSecond } = watchOf();
  let ordered = 0;
  let looked = 0;
  const run = async ({ argv }: Command): Promise<CommandResult> => {
    const [program, verb] = argv;
    if (program === "journalctl") return ok(argv.includes("--sync") ? "" : journal);
    if (verb !== "show") return orders[Math.min(ordered++, orders.length - 1)] ?? ok();
    const look = looks[Math.min(looked++, looks.length - 1)] ?? { active: "inactive" };
    const { active, sub = "running", job = "", begun = "5" } = look;
    return ok(`ActiveState=${active}\nSubState=${sub}\nResult=exit-code\nJob=${job}\nInactiveExitTimestampMonotonic=${begun}\n`);
  };
  const result = await doJob(run, { how, unit, timeoutMs: 60_000 }, stopwatch);
  return { ordered, seconds: atSecond(), result };
}

describe("a job", () => {
  test("that goes on while systemctl has ended is waited for", async () => {
    const under: Look = { active: "deactivating", job: "77" };
    const looks = [under, under, under, under, { active: "active", begun: longAfter }];
    expect(await carryOut({ orders: [lost], looks })).toEqual({ ordered: 1, seconds: 1, result: ok() });
  });

  test.each<{ title: string; how: Job; look: Look }>([
    { title: "a stop", how: "stop", look: { active: "inactive", sub: "dead" } },
    { title: "a stop of what failed at it", how: "stop", look: { active: "failed", sub: "failed" } },
  ])("is not given twice: $title", async ({ how, look }) => {
    expect(await carryOut({ how, orders: [lost, ok()], looks: [look] })).toMatchObject({ ordered: 1, result: { status: 0 } });
  });

  test.each<Look>([
    { active: "failed", sub: "failed", begun: longAfter },
    { active: "activating", sub: "auto-restart", begun: longAfter },
  ])("has failed where the unit is $active ($sub) afterwards", async (look) => {
    expect(await carryOut({ orders: [lost], looks: [look] })).toMatchObject({
      ordered: 1,
      result: { status: 1, stderr: "the job to restart svc.service failed: its result is exit-code" },
    });
  });

  test("of which only the journal knows is not given twice", async () => {
    const look = { active: "inactive", sub: "dead", begun: "0" };
    expect(await carryOut({ how: "start", orders: [lost, ok()], looks: [look], journal: '{"JOB_TYPE":"start"}' })).toMatchObject({
      ordered: 1,
      result: { status: 0 },
    });
  });

  test("that never arrives is given up, with what was said", async () => {
    expect(await carryOut({ orders: [lost], looks: [{ active: "active" }] })).toMatchObject({ ordered: 10, result: lost });
  });

  test("that takes too long after systemctl has ended is late", async () => {
    expect(await carryOut({ orders: [lost], looks: [{ active: "activating", job: "9" }] })).toMatchObject({
      seconds: 60,
      result: { kind: "timed-out", afterMs: 60_000 },
    });
  });
});

test("whoever waits for a job may be asked to end: the job is left to itself", async () => {
  const asked: string[] = [];
  const stop = new AbortController();
  const run: RunCommand = async ({ argv }) => {
    asked.push(argv.slice(0, 2).join(" "));
    stop.abort();
    return { kind: "killed", signal: "SIGTERM", stdout: "", stderr: "" };
  };
  const limits = { timeoutMs: 60_000, stopping: stop.signal };
  const ended = await doJob(run, { how: "start", unit: "svc.service" as UnitName, ...limits });
  expect([ended.kind, asked]).toEqual(["killed", ["systemctl start"]]);
});
