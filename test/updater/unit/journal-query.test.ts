import { describe, expect, test } from "vitest";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { jobsArgv, linesArgv, parseLastJob } from "../../../src/updater/unit/journal-query.ts";

const unit = "svc.service" as UnitName;

describe("what the journal is asked of a unit's past", () => {
  test("its last five lines, and of systemd's own the grave ones alone", () => {
    expect(linesArgv(unit, undefined).join(" ")).toBe(
      "journalctl --quiet --no-pager --reverse -o cat -n 5 _SYSTEMD_UNIT=svc.service + _PID=1 UNIT=svc.service " +
        "PRIORITY=0 PRIORITY=1 PRIORITY=2 PRIORITY=3 PRIORITY=4 PRIORITY=5",
    );
  });

  test("only since a moment, where there is one", () => {
    expect(linesArgv(unit, 1_700_000_000)).toContain("--since=@1700000000");
    expect(jobsArgv(unit, 1_700_000_000)).toContain("--since=@1700000000");
  });

  test("a stop is read from its answer", () => {
    expect(parseLastJob('{"MESSAGE":"Stopping svc.service...","JOB_TYPE":"stop","_BOOT_ID":"a75f"}\n')).toBe("stop");
  });
});
