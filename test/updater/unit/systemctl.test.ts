import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { unitControl, type UnitControl } from "../../../src/updater/unit/systemctl.ts";
import { watchOf } from "./given.ts";

const unit = "svc.service" as UnitName;
const done = (stdout = ""): CommandResult => ({ kind: "exited", status: 0, stdout, stderr: "" });
const refused: CommandResult = { kind: "exited", status: 1, stdout: "", stderr: "Unit svc.service is masked." };

/** A systemd that answers by the words of the call, and notes what it was asked. */
function systemd(answer: (words: string) => CommandResult): { readonly control: UnitControl; readonly asked: string[] } {
  const asked: string[] = [];
  const run = ({ argv }: Command): Promise<CommandResult> => {
    asked.push(argv.join(" "));
    return Promise.resolve(answer(argv.join(" ")));
  };
  return { control: unitControl(run, watchOf().stopwatch), asked };
}

describe("the service manager", () => {
  test("is asked for a unit by its name alone, whatever that begins with", async () => {
    const { control, asked } = systemd(() => done("LoadState=loaded\nActiveState=active\nMainPID=7\n"));
    expect(await control.show(unit)).toMatchObject({ isLoaded: true, active: "active", mainPid: 7 });
    expect(asked[0]).toMatch(/^systemctl show --property=\S+ -- svc\.service$/);
  });

  test("reads its units again, and forgets that one has failed", async () => {
    const { control, asked } = systemd(() => done());
    await control.daemonReload();
    await control.resetFailed(unit);
    expect(asked).toEqual(["systemctl daemon-reload", "systemctl reset-failed -- svc.service"]);
  });

  test.each<[title: string, result: CommandResult, code: string, says: string]>([
    ["fails without a word", { ...refused, stderr: "" }, "os-failed", "it ended with status 1"],
    ["does not answer", { kind: "timed-out", afterMs: 20_000 }, "os-failed", "it has not come to an end after 20 seconds"],
    ["is not there", { kind: "not-started", reason: "missing", message: "ENOENT" }, "host-unsupported", "is not installed"],
    ["may not be started", { kind: "not-started", reason: "other", message: "no memory" }, "os-failed", "no memory"],
  ])("that %s is a fault", async (_title, result, code, says) => {
    const { control } = systemd(() => result);
    for (const call of [control.show(unit), control.daemonReload(), control.resetFailed(unit)]) {
      await expect(call).rejects.toMatchObject({ code, message: expect.stringContaining(says) as string });
    }
  });

  test("tells what kept a unit from being changed; nothing where nothing did", async () => {
    expect(await systemd(() => done()).control.change("restart", unit)).toBeUndefined();
    expect(await systemd(() => refused).control.change("restart", unit)).toBe("Unit svc.service is masked.");
  });
});

describe("the last lines of a unit", () => {
  test("are short and without secrets, the oldest first, of a journal that has all of them", async () => {
    const { control, asked } = systemd((words) =>
      done(words.includes("--sync") ? "" : `${"x".repeat(400)}\nproxy http://a:s3cret@proxy.test refused\n`),
    );
    const [first, second, ...more] = await control.lastLines(unit);
    expect([first, more]).toEqual([expect.stringContaining("proxy.test refused"), []]);
    expect(first).not.toContain("s3cret");
    expect(second?.length).toBeLessThan(200);
    expect(asked[0]).toBe("journalctl --sync");
  });

  test("are none where the journal cannot be read", async () => {
    const { control } = systemd(() => ({ kind: "timed-out", afterMs: 20_000 }));
    expect(await control.lastLines(unit)).toEqual([]);
  });
});

describe("what somebody last told systemd to do with a unit", () => {
  const job = (words: string): CommandResult => done(words.startsWith("journalctl") ? '{"JOB_TYPE":"restart"}\n' : "running\n");

  test("is read from the journal", async () => {
    expect(await systemd(job).control.lastJob(unit, 5)).toBe("restart");
  });

  test("is to stop it on a host that goes down, whose journal is not asked", async () => {
    const { control, asked } = systemd(() => done("stopping\n"));
    expect(await control.lastJob(unit, 5)).toBe("stop");
    expect(asked).toEqual(["systemctl is-system-running"]);
  });
});
