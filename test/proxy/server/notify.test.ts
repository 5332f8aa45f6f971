import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import { notifierFor, reloading, watchdogEveryMs } from "../../../src/proxy/server/notify.ts";
import { keptLog } from "./running.ts";

const exited = (status: number): CommandResult => ({ kind: "exited", status, stdout: "", stderr: "" });

function told(environment: Readonly<Record<string, string>>, result: CommandResult) {
  const commands: Command[] = [];
  const { log, lines } = keptLog();
  const runCommand = async (command: Command): Promise<CommandResult> => {
    commands.push(command);
    return result;
  };
  return { commands, lines, notify: notifierFor({ environment, runCommand, log }) };
}

describe("systemd", () => {
  test("is told by its own program, with nothing of our environment but the socket", async () => {
    const { commands, lines, notify } = told({ NOTIFY_SOCKET: "/run/systemd/notify", PATH: "/usr/bin", SECRET: "x" }, exited(0));
    await notify("READY=1", "STATUS=well");
    expect(commands.map(({ argv, env }) => [argv, env])).toEqual([
      [["systemd-notify", "READY=1", "STATUS=well"], { NOTIFY_SOCKET: "/run/systemd/notify", PATH: "/usr/bin" }],
    ]);
    expect(lines).toEqual([]);
  });

  test.each([{}, { NOTIFY_SOCKET: "" }])("is told nothing where it does not listen: %j", async (environment) => {
    const { commands, notify } = told(environment, exited(0));
    await notify("READY=1");
    expect(commands).toEqual([]);
  });

  test.each<[CommandResult, string]>([
    [exited(1), "exited"],
    [{ kind: "timed-out", afterMs: 5000 }, "timed-out"],
    [
      { kind: "not-started", reason: "missing", message: "there is no program systemd-notify" },
      "there is no program systemd-notify",
    ],
  ])("that could not be told is a warning: %j", async (result, why) => {
    const { lines, notify } = told({ NOTIFY_SOCKET: "/run/systemd/notify" }, result);
    await notify("READY=1");
    expect(lines).toEqual([{ level: "warning", sentence: "systemd was not told", fields: { what: "READY=1", why } }]);
  });

  test("is told of a reload with the time of the monotonic clock", () => {
    expect(reloading(12.5)).toEqual(["RELOADING=1", "MONOTONIC_USEC=12500"]);
  });

  test.each([
    [{}, undefined],
    [{ WATCHDOG_USEC: "30000000" }, 15_000],
    [{ WATCHDOG_USEC: "30000000", WATCHDOG_PID: "7" }, 15_000],
    [{ WATCHDOG_USEC: "30000000", WATCHDOG_PID: "8" }, undefined],
    [{ WATCHDOG_USEC: "soon" }, undefined],
    [{ WATCHDOG_USEC: "0" }, undefined],
  ])("wants to hear of us, by %j, every %s ms", (environment, everyMs) => {
    expect(watchdogEveryMs(environment, 7)).toBe(everyMs);
  });
});
