import { describe, expect, test } from "vitest";
import {
  disableTimer,
  enableTimer,
  lookAtTimer,
  refuseUnusable,
  restoreTimer,
  type TimerFound,
} from "../../../src/updater/enroll/timer.ts";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";

type Scope = Parameters<typeof lookAtTimer>[0];

/** systemctl as it answers; what it is asked to change is noted. */
function service(
  answers: { readonly enabled?: string; readonly active?: string; readonly start?: "fails" },
  root: string = "/",
): {
  readonly scope: Scope;
  readonly changes: string[];
} {
  const changes: string[] = [];
  const ended = (stdout: string, status = 0): CommandResult => ({ kind: "exited", status, stdout, stderr: "it is broken" });
  const scope: Scope = {
    paths: pathsBelow(root),
    units: root === "/" ? "running" : "offline",
    run: ({ argv }) => {
      const line = argv.join(" ");
      if (line.includes("is-enabled")) return Promise.resolve(ended(`${answers.enabled ?? "disabled"}\n`, 1));
      if (line.includes("is-active")) return Promise.resolve(ended(`${answers.active ?? "inactive"}\n`, 3));
      changes.push(line);
      return Promise.resolve(ended("", answers.start === "fails" ? 1 : 0));
    },
  };
  return { scope, changes };
}

const on: TimerFound = { file: "enabled", isActive: true };
const off: TimerFound = { file: "disabled", isActive: false };

describe("the timer", () => {
  test.each([
    ["disabled", "active", { file: "disabled", isActive: true }],
    ["masked-runtime", "inactive", { file: "masked", isActive: false }],
    ["not-found", "inactive", { file: "absent", isActive: false }],
    // systemd 252 says the rest on stderr.
    ["", "inactive", { file: "absent", isActive: false }],
  ])("that is %s and %s is found so", async (enabled, active, found) => {
    expect(await lookAtTimer(service({ enabled, active }).scope)).toEqual(found);
  });

  test.each([
    [off, "/", "enabled and started", ["systemctl enable --quiet --now svc-upgrade.timer"]],
    [{ ...on, isActive: false }, "/", "started", ["systemctl enable --quiet --now svc-upgrade.timer"]],
    [on, "/", "already enrolled: svc-upgrade.timer is enabled and active", []],
    [off, "/image", "enabled svc-upgrade.timer; it starts once", ["systemctl --root=/image enable --quiet svc-upgrade.timer"]],
    [{ ...on, isActive: false }, "/image", "already enrolled: svc-upgrade.timer is enabled", []],
    [{ file: "absent", isActive: false }, "/image", "installing svc-ent-updater enables it", []],
  ] as const)("found as %j below %s is enabled", async (found, root, told, changed) => {
    const { scope, changes } = service({}, root);
    expect((await enableTimer(found, scope)).told).toContain(told);
    expect(changes).toEqual(changed);
  });

  test.each([
    [{ file: "masked", isActive: false }, "/", "is masked"],
    [{ file: "absent", isActive: false }, "/", "is not installed"],
  ] as const)("found as %j below %s cannot be used", (found, root, why) => {
    expect(() => refuseUnusable(found, service({}, root).scope)).toThrow(why);
  });

  test.each([
    [off, "enabled", "active", ["systemctl disable --quiet svc-upgrade.timer", "systemctl stop svc-upgrade.timer"]],
    [off, "disabled", "inactive", []],
    [on, "enabled", "active", []],
  ] as const)("that was %j and is %s and %s now is put back", async (found, enabled, active, changed) => {
    const { scope, changes } = service({ enabled, active });
    await restoreTimer(found, scope);
    expect(changes).toEqual(changed);
  });

  test.each([
    [{ ...off, isActive: true }, "/", "disabled and stopped", ["systemctl disable --quiet --now svc-upgrade.timer"]],
    [{ ...on, isActive: false }, "/image", "disabled", ["systemctl --root=/image disable --quiet svc-upgrade.timer"]],
    [off, "/", "was not enabled", []],
  ] as const)("found as %j below %s is disabled", async (found, root, told, changed) => {
    const { scope, changes } = service({}, root);
    expect((await disableTimer(found, scope)).told).toContain(told);
    expect(changes).toEqual(changed);
  });

  test("that does not start is a fault with what systemctl said", async () => {
    await expect(enableTimer(off, service({ start: "fails" }).scope)).rejects.toMatchObject({
      code: "os-failed",
      message: "systemctl enable svc-upgrade.timer failed: it is broken",
    });
  });
});
