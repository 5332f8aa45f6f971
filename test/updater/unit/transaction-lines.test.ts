import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { readLines } from "../../../src/updater/unit/transaction.ts";

/** What the journal has, from one reading to the next; the last stays. */
async function read(expected: "some" | "any", ...has: readonly string[]): Promise<{ lines: string; reads: number }> {
  let reads = 0;
  const run = (): Promise<CommandResult> => {
    const stdout = has[Math.min(reads++, has.length - 1)] ?? "";
    return Promise.resolve(
      stdout === "unreadable" ? { kind: "timed-out", afterMs: 1 } : { kind: "exited", status: 0, stdout, stderr: "" },
    );
  };
  const lines = await readLines(run, "an-id", expected);
  return { lines, reads };
}

describe("what a transaction printed", () => {
  test("is believed once two readings agree", async () => {
    expect(await read("any", "one\n", "one\ntwo\n", "one\ntwo\n")).toEqual({ lines: "one\ntwo\n", reads: 3 });
  });

  test("may be nothing where it went well", async () => {
    expect(await read("any", "")).toEqual({ lines: "", reads: 2 });
  });

  test("is waited for where it failed, and so has said something", async () => {
    expect(await read("some", "", "", "", "dpkg: error\n")).toEqual({ lines: "dpkg: error\n", reads: 5 });
    expect(await read("some", "unreadable", "unreadable", "dpkg: error\n")).toEqual({ lines: "dpkg: error\n", reads: 4 });
  });

  test("is waited for only so long", async () => {
    expect(await read("some", "")).toEqual({ lines: "", reads: 25 });
  });
});
