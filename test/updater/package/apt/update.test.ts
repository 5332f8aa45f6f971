import { describe, expect, test } from "vitest";
import { refreshAllArgv } from "../../../../src/updater/package/apt/argv.ts";
import type { AptCalls } from "../../../../src/updater/package/apt/calls.ts";
import { isCutOff, leavesParts, limitFor, update } from "../../../../src/updater/package/apt/refresh.ts";
import { answering } from "./answers.ts";

const mebibyte = 1024 ** 2;

describe("a refresh", () => {
  test("leaves room on the disk, takes no more than a gigabyte for one file, and never less than lists need", () => {
    expect(limitFor(200 * mebibyte)).toBe(136 * mebibyte);
    expect(limitFor(50_000 * mebibyte)).toBe(1024 * mebibyte);
    expect(limitFor(0)).toBe(16 * mebibyte);
  });

  test.each([
    ["E: Sub-process http received signal 25.", true],
    ["W: Write error - write (27: File too large)", true],
  ])("knows that it did not finish: %s", (output, isCut) => {
    expect(isCutOff(output)).toBe(isCut);
  });

  test("that ran out of room, or was sent more than it asked for, leaves parts of no use", () => {
    expect(leavesParts("W: Failed to fetch http://a/InRelease  File has unexpected size (10026779 != 10000000).")).toBe(true);
    expect(leavesParts("E: Write error - write (28: No space left on device)")).toBe(true);
    expect(leavesParts("E: Method http has died unexpectedly!")).toBe(true);
    expect(leavesParts("E: Failed to fetch http://127.0.0.1/x")).toBe(false);
  });

  test("that ends with a full disk is told as it ended, and what was cut off is removed", async () => {
    const ended = { status: 100, output: "E: Write error - write (28: No space left on device)\n" };
    const calls = answering([[/^prlimit/, ended]]);
    expect(await update(calls, refreshAllArgv(), "refresh")).toEqual({ ...ended, stdout: "" });
    expect(calls.acted.slice(1)).toHaveLength(1);
  });

  test("that did not finish keeps the status of its failure, and says how much came", async () => {
    const calls = answering([[/^prlimit/, { status: 1, output: "E: Method http has died unexpectedly!" }]]);
    const { status, output } = await update(calls, refreshAllArgv(), "refresh");
    const limit = /--fsize=(\d+)/.exec(calls.acted[0] ?? "")?.[1];
    expect([status, output.split("\n")[0]]).toEqual([
      1,
      `E: more than ${Math.floor(Number(limit) / mebibyte)} MiB came for one file, and the download was ended there`,
    ]);
  });

  test("that did not finish is a failure, says so first, and leaves nothing of it", async () => {
    const did: (readonly string[])[] = [];
    const done = { status: 0, stdout: "LISTS='/nowhere/lists/'\n", output: "E: Method http has died unexpectedly!" };
    const note = async (argv: readonly string[]): Promise<typeof done> => {
      did.push(argv);
      return done;
    };
    const calls: AptCalls = { ask: note, act: note, actOffline: note, root: "/", patience: { forMs: 1, everyMs: 1 } };
    const { status, output } = await update(calls, refreshAllArgv(), "refresh");
    expect(status).toBe(100);
    expect(output).toMatch(/^E: more than \d+ MiB came for one file, and the download was ended there\n/);
    expect(did.at(-1)).toEqual(["find", "/nowhere/lists/partial", "-type", "f", "-delete"]);
  });
});
