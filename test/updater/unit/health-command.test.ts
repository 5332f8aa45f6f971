import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { askHealthCommand, healthCommandArgv, judgeCheck, type Checked } from "../../../src/updater/unit/health-command.ts";

describe("the unit of the health check", () => {
  const argv = healthCommandArgv(["curl", "-f", "http://127.0.0.1/$status"]);

  test("runs the command after all options, with dollars that systemd leaves as they are", () => {
    expect(argv.slice(-4)).toEqual(["--", "curl", "-f", "http://127.0.0.1/$$status"]);
  });

  test.each([
    "DynamicUser=yes",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    "RuntimeMaxSec=60",
    "KillMode=control-group",
  ])("confines it: %s", (property) => {
    expect(argv[argv.indexOf(property) - 1]).toBe("-p");
  });

  test("gives it no variable of ours, and takes away what would load code", () => {
    expect(argv.join(" ")).not.toMatch(/setenv|EnvironmentFile/);
    expect(argv.find((word) => word.startsWith("UnsetEnvironment="))).toContain("LD_PRELOAD");
  });
});

/** What systemd-run of Debian 11 and 12 says, and that of 13. */
const older = (result: string, ended: string): string =>
  `Finished with result: ${result}\nMain processes terminated with: code=${ended}\nService runtime: 162ms\nCPU time consumed: 48ms\n`;
const begun = "Running as unit: run-u5.service\n";
const newBegun = "Running as unit: run-p108-i247225.service; invocation ID: e23f9f3f94d44398b5052cb9a0d95714\n";

function exited(status: number, stderr: string, stdout: string = ""): CommandResult {
  return { kind: "exited", status, stdout, stderr };
}

describe("what the check says of the agent", () => {
  test.each<[title: string, result: CommandResult, is: Checked]>([
    ["well", exited(0, begun + older("success", "exited/status=0")), { kind: "well" }],
    [
      "ill, with its last words",
      exited(7, `${begun}first\ncannot reach https://user:secret@svc.test\n\n${older("exit-code", "exited/status=7")}`, "out\n"),
      { kind: "ill", why: "it ended with status 7: cannot reach https://***@svc.test" },
    ],
    [
      "ill, with what it printed where it complained of nothing",
      exited(1, newBegun + older("exit-code", "exited, status=1/FAILURE"), "state: degraded\n"),
      { kind: "ill", why: "it ended with status 1: state: degraded" },
    ],
    [
      "ill where it hangs",
      exited(1, `${begun}waiting\n${older("timeout", "killed/status=TERM")}`),
      { kind: "ill", why: "it has not come to an end after 60 seconds: waiting" },
    ],
    [
      "ill where it crashes",
      exited(1, begun + older("core-dump", "dumped/status=SEGV")),
      { kind: "ill", why: "it was ended: core-dump" },
    ],
  ])("is %s", (_title, result, is) => {
    expect(judgeCheck(result)).toEqual(is);
  });

  test.each<[title: string, result: CommandResult, why: string]>([
    [
      "it may not be executed",
      exited(1, "Failed to find executable /etc/passwd: Permission denied\n"),
      "Failed to find executable /etc/passwd: Permission denied",
    ],
    ["systemd does not answer", exited(1, ""), "systemd-run ended with status 1"],
    [
      "its interpreter is missing",
      exited(203, newBegun + older("exit-code", "exited, status=203/EXEC")),
      "it or its interpreter is missing, or not for every user to execute",
    ],
    [
      "the sandbox cannot be set up",
      exited(226, begun + older("exit-code", "exited/status=226")),
      "systemd could not set it up (status 226)",
    ],
    [
      "its shell does not find what it calls",
      exited(127, `${begun}/bin/sh: 1: nope: not found\n${older("exit-code", "exited/status=127")}`),
      "a program that it calls is missing (status 127): /bin/sh: 1: nope: not found",
    ],
    [
      "there is no process left for it",
      exited(1, begun + older("resources", "exited/status=0")),
      "systemd had no means to start it",
    ],
    ["systemd-run is killed", { kind: "killed", signal: "SIGKILL", stdout: "", stderr: "" }, "systemd-run was ended by SIGKILL"],
    ["systemd never ends it", { kind: "timed-out", afterMs: 90_000 }, "systemd did not end it within 90 seconds"],
    [
      "systemd-run is missing",
      {
        kind: "not-started",
        reason: "missing",
        message: "systemd-run could not be started: no such file or directory (ENOENT)",
      },
      "systemd-run could not be started: no such file or directory (ENOENT)",
    ],
  ])("is nothing where %s", (_title, result, why) => {
    expect(judgeCheck(result)).toEqual({ kind: "not-run", why });
  });
});

describe("a check that systemd-run could not follow to its end", () => {
  // systemd 247 calls it a success, 252 ends with 1.
  const lost =
    "Running as unit: run-u5.service\nFailed to query unit state: Message recipient disconnected from message bus without replying\n";
  const lostOld: CommandResult = { kind: "exited", status: 0, stdout: "", stderr: `${lost}Finished with result: success\n` };
  const lostNew: CommandResult = { kind: "exited", status: 1, stdout: "", stderr: lost };
  const notStarted: CommandResult = {
    kind: "exited",
    status: 1,
    stdout: "",
    stderr: "Failed to start transient service unit: Message recipient disconnected from message bus without replying\n",
  };
  const ill: CommandResult = {
    kind: "exited",
    status: 7,
    stdout: "",
    stderr: "Running as unit: run-u6.service\ncurl: (7) Connection refused\nFinished with result: exit-code\n",
  };

  test.each<CommandResult>([lostOld, lostNew, notStarted])("is asked again: $stderr", async (result) => {
    const results = [result, ill];
    const checked = await askHealthCommand(async () => results.shift() ?? ill, ["curl"]);
    expect(checked).toEqual({ kind: "ill", why: "it ended with status 7: curl: (7) Connection refused" });
    expect(results).toEqual([]);
  });

  test("says nothing of the agent", () => {
    expect(judgeCheck(lostNew)).toEqual({ kind: "not-run", why: "systemd lost sight of it" });
  });
});
