import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { openJournal } from "../../../src/updater/unit/journal.ts";

const unit = "svc-upgrade.service" as UnitName;

/** journalctl over a list of lines: `-n` and `--after-cursor` as it knows them, a cursor after the last line it shows. */
function journalctl(lines: string[]): {
  readonly run: (command: Command) => Promise<CommandResult>;
  readonly calls: readonly string[][];
} {
  const calls: string[][] = [];
  return {
    calls,
    async run({ argv }) {
      calls.push([...argv]);
      const after = argv.find((word) => word.startsWith("--after-cursor="))?.split("=")[1];
      const most = Number(argv[argv.indexOf("-n") + 1]);
      const from = after === undefined ? 0 : Number(after);
      const shown = lines.slice(from).slice(-most);
      // Where there is nothing to show there is no cursor either.
      const cursor = shown.length === 0 ? "" : `-- cursor: ${lines.length}\n`;
      return { kind: "exited", status: 0, stdout: shown.map((line) => `${line}\n`).join("") + cursor, stderr: "" };
    },
  };
}

describe("a place in the journal", () => {
  test("gives what was written since, once, and nothing of before", async () => {
    const lines = ["an older pass", "its end"];
    const { run } = journalctl(lines);
    const next = await openJournal(run, [unit], "all");
    expect(await next()).toEqual([]);
    lines.push("first", "second");
    expect(await next()).toEqual(["first", "second"]);
    expect(await next()).toEqual([]);
    lines.push("-- cursor: not one", "third");
    expect(await next()).toEqual(["-- cursor: not one", "third"]);
  });

  test("begins with the first line of a unit that has never written", async () => {
    const lines: string[] = [];
    const { run } = journalctl(lines);
    const next = await openJournal(run, [unit], "all");
    lines.push("first");
    expect(await next()).toEqual(["first"]);
    expect(await next()).toEqual([]);
  });

  test("asks for this unit's bare lines, few enough to hold", async () => {
    const { run, calls } = journalctl(["one"]);
    await (
      await openJournal(run, [unit], "all")
    )();
    for (const call of calls) {
      expect(call.slice(0, 8)).toEqual(["journalctl", "--quiet", "--no-pager", "--show-cursor", "-o", "cat", "-u", unit]);
    }
    expect(calls.map((call) => call.slice(8))).toEqual([
      ["-n", "1"],
      ["-n", "5000", "--after-cursor=1"],
    ]);
  });

  test("leaves out what others say of the unit, where only its own lines are wanted", async () => {
    const { run, calls } = journalctl(["one"]);
    await (
      await openJournal(run, [unit], "own")
    )();
    for (const call of calls) expect(call.slice(6, 7)).toEqual([`_SYSTEMD_UNIT=${unit}`]);
  });

  test("has the lines of others as well that speak for it by themselves", async () => {
    const { run, calls } = journalctl(["one"]);
    await (
      await openJournal(run, [unit, "other.service" as UnitName], "own")
    )();
    for (const call of calls) expect(call.slice(6, 8)).toEqual([`_SYSTEMD_UNIT=${unit}`, "_SYSTEMD_UNIT=other.service"]);
  });

  test.each<readonly [string, CommandResult]>([
    ["is not there", { kind: "not-started", reason: "missing", message: "no journalctl" }],
    ["may not be read", { kind: "exited", status: 1, stdout: "half a line", stderr: "no permission" }],
    ["hangs", { kind: "timed-out", afterMs: 20_000 }],
  ])("is silent where the journal %s: the pass goes on", async (_title, result) => {
    const next = await openJournal(async () => result, [unit], "all");
    expect(await next()).toEqual([]);
  });

  test("keeps its place over a reading that failed", async () => {
    const lines = ["before"];
    const { run } = journalctl(lines);
    let isDown = false;
    const next = await openJournal(async (command) => (isDown ? { kind: "timed-out", afterMs: 1 } : run(command)), [unit], "all");
    isDown = true;
    lines.push("after");
    expect(await next()).toEqual([]);
    isDown = false;
    expect(await next()).toEqual(["after"]);
  });
});
