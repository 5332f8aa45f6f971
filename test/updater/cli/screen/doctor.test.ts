import { describe, expect, test } from "vitest";
import { checkLines, summaryLine } from "../../../../src/updater/cli/screen/doctor.ts";
import { paintFor } from "../../../../src/updater/cli/screen/paint.ts";
import type { Check } from "../../../../src/updater/doctor/check.ts";

const plain = paintFor("other", { environment: {} });
const coloured = paintFor("terminal", { environment: {} });
const told = "svc-upgrade.timer is disabled: no pass comes by itself, and nobody is told of it unless they look here";
const fix = `echo '${"a long line that has to be copied whole ".repeat(3)}' | sudo tee /etc/svc-upgrade/60-window.yaml`;

describe("the screen of doctor", () => {
  test("has the verdict, the name and what was found within 80 columns, and the fix whole on a line of its own", () => {
    const lines = checkLines({ name: "timer", verdict: "failed", told, fix }, plain).split("\n");
    expect(lines).toEqual([
      "failed   timer     svc-upgrade.timer is disabled: no pass comes by itself, and",
      "                   nobody is told of it unless they look here",
      `    ${fix}`,
      "",
    ]);
  });

  test("gives a fix no room where there is none", () => {
    expect(checkLines({ name: "dns", verdict: "ok", told: "proxy.example.com is 192.0.2.1" }, plain)).toBe(
      "ok       dns       proxy.example.com is 192.0.2.1\n",
    );
  });

  test.each<readonly [Check["verdict"], number]>([
    ["ok", 32],
    ["warning", 33],
    ["failed", 31],
    ["skipped", 2],
  ])("helps the eye with a colour for %s, and stands as without", (verdict, code) => {
    const check: Check = { name: "disk", verdict, told, fix };
    const painted = checkLines(check, coloured);
    expect(painted.startsWith(`\u001B[${code}m${verdict}`)).toBe(true);
    // oxlint-disable-next-line no-control-regex -- the codes are what is taken away
    expect(painted.replace(/\u001B\[\d+m/g, "")).toBe(checkLines(check, plain));
  });

  test.each<readonly [readonly Check["verdict"][], string]>([
    [[], "0 failed, 0 warnings\n"],
    [["ok", "failed", "warning"], "1 failed, 1 warning\n"],
    [["failed", "failed", "warning", "warning", "skipped"], "2 failed, 2 warnings, 1 skipped\n"],
  ])("ends with the counts of %j", (verdicts, line) => {
    const checks = verdicts.map((verdict): Check => ({ name: "disk", verdict, told: "" }));
    expect(summaryLine(checks, plain)).toBe(line);
  });
});
