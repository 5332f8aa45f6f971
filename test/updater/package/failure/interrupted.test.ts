import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { isOfScript, orInterrupted } from "../../../../src/updater/package/failure/interrupted.ts";

const failed = new Fault("install-failed", { message: "a script of svc-ent 2.0 failed", hint: "" });

describe("a helper of the package manager that was ended by a signal", () => {
  test.each([
    " installed svc-ent package post-installation script subprocess was killed by signal (Killed)",
    " new svc-ent package pre-installation script subprocess was killed by signal (Hangup)",
    "dpkg-deb: error: <decompress> subprocess was killed by signal (Interrupt)",
    "warning: %post(svc-ent-2.0-1.x86_64) scriptlet failed, signal 9",
    "error: %prein(svc-ent-2.0-1.x86_64) scriptlet failed, signal 15",
  ])("is nobody's fault, and leaves a package that is not whole: %s", (line) => {
    const fault = orInterrupted(failed, `one line\n${line}\nanother\n`);
    expect(fault).toMatchObject({ code: "interrupted", message: failed.message, cause: failed });
    expect(isOfScript(fault)).toBe(true);
  });

  test.each([
    " installed svc-ent package post-installation script subprocess was killed by signal (Segmentation fault)",
    "warning: %post(svc-ent-2.0-1.x86_64) scriptlet failed, signal 11",
    "warning: %post(svc-ent-2.0-1.x86_64) scriptlet failed, exit status 1",
  ])("is the version's where it crashed or failed by itself: %s", (line) => {
    expect(orInterrupted(failed, line)).toBe(failed);
    expect(isOfScript(failed)).toBe(false);
  });

  test("changes nothing of another fault", () => {
    const full = new Fault("no-space", { message: "no room", hint: "" });
    expect(orInterrupted(full, "scriptlet failed, signal 9")).toBe(full);
    const cause = new Fault("no-space", { message: "no room", hint: "" });
    expect(isOfScript(new Fault("interrupted", { message: "ended", hint: "", cause }))).toBe(false);
    expect(isOfScript(new Fault("download-failed", { message: "nothing was installed", hint: "", cause: failed }))).toBe(false);
    expect(isOfScript(new Fault("interrupted", { message: "apt-get was ended by SIGKILL", hint: "" }))).toBe(false);
  });
});
