import { describe, expect, test } from "vitest";
import { examineManager } from "../../../src/updater/doctor/manager.ts";
import { examiner } from "./given.ts";

describe("the package manager", () => {
  test("is well with a free lock and a whole database", async () => {
    expect(await examineManager(examiner())).toEqual({ verdict: "ok", told: "apt; its lock is free and its database whole" });
  });

  test("is named with whoever locks it, and what that leaves half-way is no trouble yet", async () => {
    const audit = async (): Promise<readonly string[]> => ["svc-ent is not properly installed"];
    const locked = await examineManager(examiner({ lockHolder: () => ({ pid: 1252, program: "apt-get" }), audit }));
    expect(locked).toMatchObject({ verdict: "warning", fix: "ps -fp 1252" });
    expect(locked.told).toContain("process 1252 (apt-get)");
    const unseen = await examineManager(examiner({ lockHolder: () => ({ pid: 1252, program: undefined }) }));
    expect(unseen.told).toContain("process 1252;");
  });

  test("fails with a database that was left half-way", async () => {
    const audit = async (): Promise<readonly string[]> => ["a is not properly installed", "b is not properly installed"];
    expect(await examineManager(examiner({ audit }))).toEqual({
      verdict: "failed",
      told: "apt: a is not properly installed; b is not properly installed",
      fix: "mend",
    });
  });
});
