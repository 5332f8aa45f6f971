import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { StepName } from "../../src/updater/record/state.ts";
import { isPassing } from "../faults/pass.ts";
import { lastPass } from "../faults/record.ts";
import { stepBegins } from "../faults/watch-step.ts";
import { buildAgent, installAgent } from "./lab/agent.ts";
import { suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import type { ProgramResult } from "./lab/program.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning } from "./moves.ts";
import { configure, schedule, withUpdater } from "./updater.ts";

/** Half a dozen times in a row: an upgrade of systemd and of libraries that PID 1 has loaded does it more than once. */
const times = 6;

async function reexecute(host: Host): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    await host.enter(["systemctl", "daemon-reexec"]);
    await sleep(250);
  }
}

/** One version behind, with a package that takes its time and an agent that is watched for some seconds. */
async function unhurried({ host, repository, versions }: Stage): Promise<void> {
  await repository.publish(
    await buildAgent(host, { version: "15.4.5" }),
    await buildAgent(host, { version: "15.4.6", scripts: "slow" }),
  );
  await installAgent(host, "15.4.5");
  versions.serve("default", { version: "v15.4.6" });
  const settings = `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\nagent: {activate: restart}\n`;
  await configure(host, `${settings}health: {settle: 4s, command: [sh, -c, "svc version | grep -q Enterprise && sleep 1"]}\n`);
  await schedule(host, "open");
}

/** As an admin types it: not in a unit whose end systemd would have to tell. */
function follow(host: Host): Promise<ProgramResult> {
  return host.enter(["svc-upgrade", "run", "--now"], { timeoutMs: 120_000 });
}

/** The pass that was asked for may not have begun yet. */
async function begins(host: Host, step: StepName): Promise<void> {
  await until("the pass begins", 20_000, async () => ((await isPassing(host)) ? true : undefined));
  await stepBegins(host, step);
}

describe("systemd executes itself again", () => {
  for (const suite of suites) {
    for (const step of ["install", "activate", "health"] satisfies StepName[]) {
      test(
        `in the step ${step}: the pass goes well, and so does whoever follows it, on ${suite}`,
        scenario(withUpdater({ suite }), async (stage) => {
          const { host } = stage;
          await unhurried(stage);
          const following = follow(host);
          await begins(host, step);
          await reexecute(host);
          const { status, stdout, stderr } = await following;
          expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: "upgraded (15.4.5 -> 15.4.6)\n" });
          await expectRunning(host, "15.4.6");
          expect(lastPass(host).outcome).toMatchObject({ kind: "moved" });
        }),
      );
    }
  }
});

describe("whoever follows a pass", () => {
  test(
    "is told that it was stopped, once its step has ended",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await unhurried(stage);
      const following = follow(host);
      await begins(host, "install");
      await host.enter(["systemctl", "stop", "svc-upgrade.service"]);
      // What had begun is brought to its end.
      expect(await following).toMatchObject({ status: 0, stdout: "upgraded (15.4.5 -> 15.4.6)\n" });
    }),
  );

  test(
    "is told that it was stopped before anything was recorded",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await unhurried(stage);
      await host.write("/etc/systemd/system/svc-upgrade.service.d/late.conf", "[Service]\nExecStartPre=sleep 30\n");
      await host.mustRun(["systemctl", "daemon-reload"]);
      const following = follow(host);
      await sleep(2000);
      await host.enter(["systemctl", "stop", "svc-upgrade.service"]);
      const { status, stderr } = await following;
      expect({ status, stderr }).toMatchObject({ status: 75, stderr: expect.stringContaining("was stopped") as unknown });
    }),
  );

  for (const step of ["refresh", "health"] satisfies StepName[]) {
    test(
      `is told what became of it where the updater's package is removed in the step ${step}`,
      scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
        const { host } = stage;
        await unhurried(stage);
        const following = follow(host);
        await begins(host, step);
        await host.enter(["dpkg", "--remove", "svc-ent-updater"]);
        const { status, stderr } = await following;
        expect(stderr).not.toContain("without a record");
        expect(status).toBe(step === "refresh" ? 75 : 0);
      }),
    );
  }
});
