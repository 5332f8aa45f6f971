import { describe, expect, test } from "vitest";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import { refresh } from "../../../../src/updater/package/zypper/working-half.ts";
import { savedEnded } from "../saved.ts";
import { agent, present, stage } from "./calls.ts";

const solv = "/var/cache/zypp/solv/@System";
const said = `Problem occurred while reading the installed packages:\nError reading solv-file: ${solv}/solv\n`;
const spoilt: Ended = { status: 4, stdout: said, output: said };

describe("a damaged cache of zypper's", () => {
  test("is taken away once, and made again by the next call", async () => {
    const answers = [spoilt, savedEnded("zypper/offered", 0)];
    const { calls, acted } = stage({ installed: [present("15.4.5-1")], ask: () => answers.shift() ?? spoilt });
    await refresh(calls, agent);
    expect(acted.map(({ args }) => args)[0]).toEqual(["rm", solv]);
    expect(acted.map(({ args }) => args)[1]).toEqual(expect.arrayContaining(["refresh"]));
  });

  test("is nothing else that zypper fails at, and nothing is taken away for that", async () => {
    const { calls, acted } = stage({ installed: [], ask: () => savedEnded("zypper/lock-waited", 7) });
    await expect(refresh(calls, agent)).rejects.toMatchObject({ code: "manager-busy" });
    expect(acted).toEqual([]);
  });
});
