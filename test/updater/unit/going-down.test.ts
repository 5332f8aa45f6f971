import { expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { isGoingDown } from "../../../src/updater/unit/going-down.ts";

const cases: readonly [CommandResult, boolean][] = [
  [{ kind: "exited", status: 1, stdout: "stopping\n", stderr: "" }, true],
  [{ kind: "exited", status: 1, stdout: "degraded\n", stderr: "" }, false],
  [{ kind: "exited", status: 0, stdout: "running\n", stderr: "" }, false],
  [{ kind: "exited", status: 1, stdout: "offline\n", stderr: "Failed to connect to bus" }, false],
  [{ kind: "timed-out", afterMs: 20_000 }, false],
];

test.each(cases)("a host goes down where PID 1 says so: %j", async (result, isDown) => {
  expect(await isGoingDown(() => Promise.resolve(result))).toBe(isDown);
});
