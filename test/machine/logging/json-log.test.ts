import { describe, expect, test } from "vitest";
import { openJsonLog } from "../../../src/machine/logging/json-log.ts";

describe("a JSON log line", () => {
  test("holds level, time, message and fields, and nothing of a secret", async () => {
    const lines: string[] = [];
    const log = await openJsonLog("info", (line) => {
      lines.push(line);
    });
    log("debug", "not written");
    log("notice", "asked http://u:p@proxy\nand more", { proxy: "http://u:p@proxy", seconds: 2, until: undefined });
    log("error", "failed");
    expect(lines.every((line) => line.endsWith("\n") && line.indexOf("\n") === line.length - 1)).toBe(true);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: "notice",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        msg: "asked http://***@proxy\nand more",
        proxy: "http://***@proxy",
        seconds: 2,
      },
      { level: "error", time: expect.any(String), msg: "failed" },
    ]);
  });
});
