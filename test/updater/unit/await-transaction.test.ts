import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import { awaitTransaction } from "../../../src/updater/unit/await-transaction.ts";
import { watchOf } from "./given.ts";

type Waited = { readonly asked: number; readonly seconds: number; readonly told: readonly string[] };

/** The unit's state from second to second, the last one for ever. */
async function wait(
  states: readonly string[],
  stopAt: number = Number.POSITIVE_INFINITY,
  how: Parameters<typeof awaitTransaction>[1] = "until-stopped",
): Promise<Waited> {
  const { stopwatch, atSecond } = watchOf();
  const stop = new AbortController();
  const told: string[] = [];
  let asked = 0;
  const run = ({ argv }: Command): Promise<CommandResult> => {
    expect(argv.join(" ")).toBe("systemctl show --property=ActiveState -- svc-upgrade-transaction.service");
    asked += 1;
    if (atSecond() >= stopAt) stop.abort();
    const state = states[Math.min(atSecond(), states.length - 1)] ?? "";
    return Promise.resolve({ kind: "exited", status: 0, stdout: `ActiveState=${state}\n`, stderr: "" });
  };
  const log = (level: string, sentence: string): void => void told.push(`${level}: ${sentence}`);
  await awaitTransaction({ run, stopwatch, log, stopping: stop.signal }, how);
  return { asked, seconds: atSecond(), told };
}

describe("waiting for a transaction of an earlier pass", () => {
  test("lasts until its unit has ended, and is told once", async () => {
    const states = ["activating", "active", "active", "deactivating", "inactive"];
    const sentence = "notice: a transaction is still under way that was begun before; waiting for its end";
    expect(await wait(states)).toEqual({ asked: 5, seconds: 4, told: [sentence] });
  });

  test("gives up after 30 minutes", async () => {
    await expect(wait(["active"])).rejects.toMatchObject({
      code: "busy",
      message: "a transaction of an earlier pass is still running after 30 minutes",
    });
  });

  test("is over after a minute where nothing is being changed", async () => {
    expect(await wait(["active"], undefined, "a-minute")).toMatchObject({ seconds: 60 });
  });

  test("gives up when the pass is asked to stop", async () => {
    await expect(wait(["active"], 3)).rejects.toMatchObject({ code: "stopping" });
  });

  test("goes on when the pass is asked to stop in the middle of a change", async () => {
    expect(await wait(["active", "active", "inactive"], 1, "to-its-end")).toMatchObject({ seconds: 2 });
  });
});
