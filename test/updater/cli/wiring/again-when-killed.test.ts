import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../../src/machine/processes/command.ts";
import { againWhenKilled } from "../../../../src/updater/cli/wiring/again-when-killed.ts";

const killed: CommandResult = { kind: "killed", signal: "SIGKILL", stdout: "", stderr: "" };
const answered: CommandResult = { kind: "exited", status: 0, stdout: "ii \t1.0\n", stderr: "" };
const question: Command = { argv: ["dpkg-query", "-W"], env: {}, timeoutMs: 1000 };

async function ask(results: readonly CommandResult[], command: Command = question): Promise<[CommandResult, number]> {
  let asked = 0;
  const run = (): Promise<CommandResult> => Promise.resolve(results[Math.min(asked++, results.length - 1)] ?? killed);
  return [await againWhenKilled(run, [1, 1])(command), asked];
}

describe("a question that was ended by a signal", () => {
  test("is asked again", async () => {
    expect(await ask([killed, answered])).toEqual([answered, 2]);
    expect(await ask([killed, killed, answered])).toEqual([answered, 3]);
  });

  test("is not asked for ever", async () => {
    expect(await ask([killed])).toEqual([killed, 3]);
  });

  test("is not asked again where it was we who ended it", async () => {
    expect(await ask([killed], { ...question, signal: AbortSignal.abort() })).toEqual([killed, 1]);
  });

  test("is asked once where it has any other answer", async () => {
    const late: CommandResult = { kind: "timed-out", afterMs: 1000 };
    for (const result of [answered, late]) expect(await ask([result])).toEqual([result, 1]);
  });
});
