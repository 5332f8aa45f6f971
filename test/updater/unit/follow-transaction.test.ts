import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { followTransaction, type Followed } from "../../../src/updater/unit/follow-transaction.ts";
import { type TransactionEnd } from "../../../src/updater/unit/transaction-end.ts";
import { watchOf } from "./given.ts";

const done: TransactionEnd = { kind: "exited", status: 0, stdout: "", stderr: "" };

function shown(text: string): CommandResult {
  return { kind: "exited", status: 0, stdout: text, stderr: "" };
}

const there = shown("ExecStopPost={ argv[]=/bin/sh -c (echo an-id; printenv) }\nLoadState=loaded\n");
const others = shown("ExecStopPost={ argv[]=/bin/sh -c (echo another; printenv) }\nLoadState=loaded\n");
const gone = shown("LoadState=not-found\n");
const unanswered: CommandResult = { kind: "exited", status: 1, stdout: "", stderr: "Failed to connect to bus" };

type Played = { readonly followed: Followed; readonly seconds: number; readonly looks: number };

/** What PID 1 says from second to second, the last for ever; and the second at which the unit has written of its end. */
async function play(looks: readonly CommandResult[], writtenAt: number = Number.POSITIVE_INFINITY): Promise<Played> {
  const { stopwatch, atSecond } = watchOf();
  let asked = 0;
  const run = (): Promise<CommandResult> => {
    asked += 1;
    return Promise.resolve(looks[Math.min(atSecond(), looks.length - 1)] ?? gone);
  };
  const readEnd = (): TransactionEnd | undefined => (atSecond() >= writtenAt ? done : undefined);
  const followed = await followTransaction({ id: "an-id", run, stopwatch, readEnd }, stopwatch.nowMs() + 60_000);
  return { followed, seconds: atSecond(), looks: asked };
}

describe("following a transaction", () => {
  test("comes back with what the unit has written, once it is gone", async () => {
    expect(await play([there, there, there, gone], 3)).toEqual({ followed: done, seconds: 3, looks: 4 });
  });

  test("knows it for over where another one has its name", async () => {
    expect(await play([there, others], 1)).toMatchObject({ followed: done });
  });

  test("asks again where PID 1 gives no answer", async () => {
    expect(await play([there, unanswered, { kind: "timed-out", afterMs: 1 }, there, gone], 4)).toMatchObject({
      followed: done,
      seconds: 4,
    });
  });

  test("gives up when the time is up, and says that it goes on", async () => {
    expect(await play([there])).toMatchObject({ followed: "under way", seconds: 60 });
  });
});
