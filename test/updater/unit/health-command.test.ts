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
  test.each<{ title: string; result: CommandResult; is: Checked }>([
    { title: "well", result: exited(0, begun + older("success", "exited/status=0")), is: { kind: "well" } },
    {
      title: "ill, with its last words",
      result: exited(
        7,
        `${begun}first\ncannot reach https://user:secret@svc.test\n\n${older("exit-code", "exited/status=7")}`,
        "out\n",
      ),
      is: { kind: "ill", why: "it ended with status 7: cannot reach https://***@svc.test" },
    },
    {
      title: "ill, with what it printed where it complained of nothing",
      result: exited(1, newBegun + older("exit-code", "exited, status=1/FAILURE"), "state: degraded\n"),
      is: { kind: "ill", why: "it ended with status 1: state: degraded" },
    },
    {
      title: "ill where it hangs",
      result: exited(1, `${begun}waiting\n${older("timeout", "killed/status=TERM")}`),
      is: { kind: "ill", why: "it has not come to an end after 60 seconds: waiting" },
    },
    {
      title: "ill where it crashes",
      result: exited(1, begun + older("core-dump", "dumped/status=SEGV")),
      is: { kind: "ill", why: "it was ended: core-dump" },
    },
  ])("is $title", ({ result, is }) => {
    expect(judgeCheck(result)).toEqual(is);
  });

  test.each<{ title: string; result: CommandResult; why: string }>([
    {
      title: "it may not be executed",
      result: exited(1, "Failed to find executable /etc/passwd: Permission denied\n"),
      why: "Failed to find executable /etc/passwd: Permission denied",
    },
    { title: "systemd does not answer", result: exited(1, ""), why: "systemd-run ended with status 1" },
    {
      title: "its interpreter is missing",
      result: exited(203, newBegun + older("exit-code", "exited, status=203/EXEC")),
      why: "it or its interpreter is missing, or not for every user to execute",
    },
    {
      title: "the sandbox cannot be set up",
      result: exited(226, begun + older("exit-code", "exited/status=226")),
      why: "systemd could not set it up (status 226)",
    },
    {
      title: "its shell does not find what it calls",
      result: exited(127, `${begun}/bin/sh: 1: nope: not found\n${older("exit-code", "exited/status=127")}`),
      why: "a program that it calls is missing (status 127): /bin/sh: 1: nope: not found",
    },
    {
      title: "there is no process left for it",
      result: exited(1, begun + older("resources", "exited/status=0")),
      why: "systemd had no means to start it",
    },
    {
      title: "systemd-run is killed",
      result: { kind: "killed", signal: "SIGKILL", stdout: "", stderr: "" },
      why: "systemd-run was ended by SIGKILL",
    },
    {
      title: "systemd never ends it",
      result: { kind: "timed-out", afterMs: 90_000 },
      why: "systemd did not end it within 90 seconds",
    },
    {
      title: "systemd-run is missing",
      result: {
        kind: "not-started",
        reason: "missing",
        message: "systemd-run could not be started: no such file or directory (ENOENT)",
      },
      why: "systemd-run could not be started: no such file or directory (ENOENT)",
    },
  ])("is nothing where $title", ({ result, why }) => {
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

  test.each<CommandResult>([lostNew])("says nothing of the agent: $stderr", (result) => {
    expect(judgeCheck(result)).toEqual({ kind: "not-run", why: "systemd lost sight of it" });
  });
});
