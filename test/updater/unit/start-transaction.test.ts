import { describe, expect, test } from "vitest";
import type { Command, CommandResult } from "../../../src/machine/processes/command.ts";
import { startTransaction } from "../../../src/updater/unit/start-transaction.ts";
import { watchOf } from "./given.ts";

function says(stderr: string): CommandResult {
  return { kind: "exited", status: 1, stdout: "", stderr };
}

const started: CommandResult = { kind: "exited", status: 0, stdout: "", stderr: "" };
const there: CommandResult = { ...started, stdout: "ExecStopPost={ echo an-id }\nLoadState=loaded\n" };
const gone: CommandResult = { ...started, stdout: "LoadState=not-found\n" };

/** What systemd-run comes back with, one time after the other, and what a look at the unit shows. */
async function start(results: readonly CommandResult[], look: CommandResult = gone): Promise<{ tries: number; seconds: number }> {
  const { stopwatch, atSecond } = watchOf();
  let tries = 0;
  const run = ({ argv }: Command): Promise<CommandResult> =>
    Promise.resolve(argv[0] === "systemd-run" ? (results[Math.min(tries++, results.length - 1)] ?? started) : look);
  await startTransaction(["systemd-run", "--no-block"], { id: "an-id", run, stopwatch, readEnd: () => undefined });
  return { tries, seconds: atSecond() };
}

describe("starting a transaction", () => {
  // All as real ones said it, on systemd 247 to 257.
  test.each([
    "Failed to connect to bus: No such file or directory",
    "Failed to start transient service unit: Connection reset by peer",
  ])("is tried again where the connection was lost: %s", async (said) => {
    expect(await start([says(said), says(said), started])).toEqual({ tries: 3, seconds: 1 });
    // The message may have arrived, and only its answer been lost.
    expect(await start([says(said)], there)).toEqual({ tries: 1, seconds: 0 });
    await expect(start([says(said)])).rejects.toMatchObject({ code: "os-failed" });
  });

  test.each([
    "Failed to start transient service unit: Unit svc-upgrade-transaction.service already exists.",
    "Failed to start transient service unit: Unit svc-upgrade-transaction.service was already loaded or has a fragment file.",
  ])("is refused where another one is under way: %s", async (said) => {
    await expect(start([says(said)])).rejects.toMatchObject({ code: "busy" });
  });

  test("is refused on a host that goes down", async () => {
    const said =
      "Failed to start transient service unit: Transaction for svc-upgrade-transaction.service/start is destructive (systemd-poweroff.service has 'start' job queued, but 'stop' is included in transaction).";
    await expect(start([says(said)])).rejects.toMatchObject({ code: "stopping" });
  });
});
