import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import type { AgentCondition } from "../../../src/updater/plan/host-facts.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { proveHealth } from "../../../src/updater/unit/health.ts";
import type { UnitJob } from "../../../src/updater/unit/journal-query.ts";
import type { ShownUnit } from "../../../src/updater/unit/shown.ts";
import { unitControl } from "../../../src/updater/unit/systemctl.ts";
import { running, watchOf } from "./given.ts";

const unit = "svc.service" as UnitName;
const failed: ShownUnit = { ...running, active: "failed", sub: "failed", mainPid: 0 };
const dead: ShownUnit = { ...running, active: "inactive", sub: "dead", mainPid: 0 };
const waiting: ShownUnit = { ...running, active: "activating", sub: "auto-restart", mainPid: 0 };
const missing: ShownUnit = { ...dead, isLoaded: false };
const ranWell: CommandResult = {
  kind: "exited",
  status: 0,
  stdout: "",
  stderr: "Running as unit: run-u5.service\nFinished with result: success\n",
};

type Host = {
  readonly looks: readonly ShownUnit[];
  readonly job?: UnitJob;
  readonly check?: CommandResult;
  readonly before?: AgentCondition;
  readonly command?: readonly string[];
};

/** A host whose unit looks like this from second to second, the last look for ever. */
async function prove({ looks, job, check = ranWell, before = "running", command = [] }: Host): Promise<readonly string[]> {
  const { stopwatch, atSecond } = watchOf();
  const did: string[] = [];
  const run = ({ argv }: { readonly argv: readonly string[] }): Promise<CommandResult> => {
    did.push(argv.slice(argv.indexOf("--") + 1).join(" "));
    return Promise.resolve(check);
  };
  const control = {
    ...unitControl(run),
    show: () => Promise.resolve(looks[Math.min(atSecond(), looks.length - 1)] ?? running),
    lastJob: () => Promise.resolve(job),
    lastLines: () => Promise.resolve(["ERROR cannot start", "svc.service: Failed with result 'exit-code'."]),
  };
  const log = (level: string, sentence: string): void => void did.push(`${level}: ${sentence}`);
  await proveHealth({ control, run, stopwatch, log }, { unit, before, health: { settleSeconds: 3, command } });
  return did;
}

describe("the proof that the agent is well", () => {
  test("is that its unit stays up", async () => {
    expect(await prove({ looks: [running] })).toEqual([]);
  });

  test.each<{ looks: readonly ShownUnit[]; before?: AgentCondition; message: string }>([
    { looks: [running, failed], message: "svc.service is failed (failed): it went down, 2 seconds after it was brought up" },
    {
      looks: [running, { ...running, restarts: 1 }],
      message: "svc.service is active (running): systemd had to start it again, 1 second after it was brought up",
    },
    {
      looks: [failed],
      before: "unhealthy",
      message: "svc.service is failed (failed): it went down, 1 second after it was brought up",
    },
    { looks: [missing], message: "svc.service is inactive (dead): it went down, 1 second after it was brought up" },
    {
      looks: [running, waiting],
      before: "stopped",
      message:
        "svc.service is activating (auto-restart): it ended, and systemd is about to start it again, 1 second after it was brought up",
    },
  ])("fails with the unit's state, and none of the agent's words: $message", async ({ message, ...host }) => {
    const proof = prove({ ...host, command: ["never", "asked"] });
    await expect(proof).rejects.not.toHaveProperty("cause");
    await expect(proof).rejects.toMatchObject({
      code: "unhealthy",
      message,
      hint: "see `journalctl -u svc.service` and `systemctl status svc.service`",
    });
  });

  test("fails where the check says so", async () => {
    const check: CommandResult = {
      kind: "exited",
      status: 7,
      stdout: "",
      stderr: "Running as unit: run-u5.service\nno cluster\nFinished with result: exit-code\n",
    };
    await expect(prove({ looks: [running], command: ["svc", "status"], check })).rejects.toMatchObject({
      code: "unhealthy",
      message: "svc.service runs, and the health check svc says that it is not well: it ended with status 7: no cluster",
    });
  });

  test("does not fail for a check that cannot be run, and says so loudly", async () => {
    const check: CommandResult = { kind: "exited", status: 1, stdout: "", stderr: "Failed to find executable nowhere\n" };
    expect(await prove({ looks: [running], command: ["nowhere"], check })).toEqual([
      "nowhere",
      "error: health.command could not be run, and so the agent's health is judged by its unit alone; correct the setting",
    ]);
  });

  test("does not fail, and asks nothing more, where somebody stopped the unit", async () => {
    expect(await prove({ looks: [running, dead], job: "stop", command: ["svc"] })).toEqual([
      "warning: svc.service was stopped while it was watched: whether it is well is not known",
    ]);
  });

  test("does not fail, and asks nothing more, where somebody masked the unit", async () => {
    const looks = [running, { ...dead, isLoaded: false, isMasked: true }];
    expect(await prove({ looks, job: "stop", command: ["svc"] })).toEqual([
      "warning: svc.service is masked: nobody can tell whether it runs well with the installed version",
    ]);
  });

  test("is not asked for where the unit is down and its state before is not known", async () => {
    expect(await prove({ looks: [dead], before: "unknown", command: ["svc"] })).toEqual([]);
  });
});
