import { describe, expect, test } from "vitest";
import { examineRivals } from "../../../src/updater/doctor/manager.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { examiner } from "./given.ts";

const name = "svc-ent" as PackageName;

describe("rivals", () => {
  test("are all told, and the first of them is dealt with first", async () => {
    const rivals = async (): Promise<readonly { told: string; fix: string }[]> => [
      { told: "one moves it", fix: "stop one" },
      { told: "two moves it", fix: "stop two" },
    ];
    expect(await examineRivals(examiner({ rivals }), name)).toEqual({
      verdict: "warning",
      told: "one moves it; two moves it",
      fix: "stop one",
    });
  });

  test("are not known where there is none", async () => {
    expect(await examineRivals(examiner(), name)).toEqual({ verdict: "ok", told: "no other updater is known to move svc-ent" });
  });
});
