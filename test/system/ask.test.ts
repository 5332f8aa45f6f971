import { describe, expect, test } from "vitest";
import { decidingUnit, endOfPass } from "../faults/pass.ts";
import { cgroupOf, killAll } from "../faults/strike.ts";
import { suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { lastPass } from "./moves.ts";
import { outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

const asking = "svc-upgrade-ask.service";
const socket = "svc-upgrade-ask.socket";
const dropIn = `/etc/systemd/system/${asking}.d/ill.conf`;

async function quietHost(stage: Stage): Promise<Host> {
  await outdatedHost(stage);
  await schedule(stage.host, "closed");
  return stage.host;
}

async function stateOf(host: Host, unit: string): Promise<string> {
  return (await host.enter(["systemctl", "is-active", unit])).stdout.trim();
}

async function withProgram(host: Host, program: string): Promise<void> {
  await host.write(dropIn, `[Service]\nExecStart=\nExecStart=${program}\n`);
  await host.mustRun(["systemctl", "daemon-reload"]);
}

async function healed(host: Host): Promise<void> {
  await host.mustRun(["rm", "-f", dropIn]);
  await host.mustRun(["systemctl", "daemon-reload"]);
}

async function failures(host: Host): Promise<number> {
  return (await host.journal(asking)).split("\n").filter((line) => line.includes("Failed with result")).length;
}

async function unanswered(host: Host): Promise<unknown> {
  expect(await tick(host)).toBe(75);
  return (await lastPass(host)).outcome.fault;
}

describe.each(suites)("the asking unit, on %s,", (suite) => {
  test(
    "answers one question and ends; what dies before it takes one up is started once for each, and not for ever",
    scenario(withUpdater({ suite }), async (stage) => {
      const host = await quietHost(stage);
      expect(await tick(host)).toBe(0);
      await until("it ends", 10_000, async () => ((await stateOf(host, asking)) === "inactive" ? true : undefined));

      for (const program of ["/bin/false", "/bin/sh -c 'sleep 0.3; exit 1'", "/bin/sh -c 'sleep 0.3; kill -KILL $$$$'"]) {
        await withProgram(host, program);
        const before = await failures(host);
        expect(await unanswered(host)).toMatchObject({
          code: "ask-failed",
          message: "svc-upgrade-ask.service ended without an answer",
        });
        await host.mustRun(["sleep", "2"]);
        expect([program, (await failures(host)) - before]).toEqual([program, 2]);
        await healed(host);
        expect(await tick(host)).toBe(0);
      }
    }),
  );

  test(
    "may be killed in the middle of its answer: it is asked once more",
    scenario(withUpdater({ suite }), async (stage) => {
      const host = await quietHost(stage);
      stage.versions.serve("default", { version: { body: "v15.4.6", delayMs: 3000 } });
      await host.mustRun(["systemctl", "start", "--no-block", decidingUnit]);
      await until("it asks", 30_000, async () => ((await stateOf(host, asking)) === "activating" ? true : undefined));
      await until("it is at it", 10_000, async () => ((await killAll(await cgroupOf(host, asking))) ? true : undefined));
      expect(await endOfPass(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "outside-window" }, served: "15.4.6" });
    }),
  );

  test(
    "is brought back by the next pass, whatever became of its socket; where it is masked, the fault says what to type",
    scenario(withUpdater({ suite }), async (stage) => {
      const host = await quietHost(stage);
      expect(await tick(host)).toBe(0);
      await host.mustRun(["systemctl", "stop", socket]);
      expect(await tick(host)).toBe(0);

      // What is asked of a unit that is masked ends in a failed socket.
      await host.mustRun(["systemctl", "mask", "--quiet", asking]);
      expect(await unanswered(host)).toMatchObject({ code: "ask-failed" });
      expect(await stateOf(host, socket)).toBe("failed");
      expect(await unanswered(host)).toMatchObject({
        message: expect.stringContaining("svc-upgrade-ask.socket does not listen at "),
        hint: expect.stringContaining("systemctl unmask"),
      });
      await host.mustRun(["systemctl", "unmask", "--quiet", asking]);
      expect(await tick(host)).toBe(0);

      await host.mustRun(["systemctl", "mask", "--now", "--quiet", socket]);
      expect(await unanswered(host)).toMatchObject({
        message: expect.stringContaining("svc-upgrade-ask.socket does not listen at "),
      });
      const doctor = await host.run(["svc-upgrade", "doctor"]);
      expect(doctor.stdout).toContain(`sudo systemctl unmask ${socket}`);
      await host.mustRun(["systemctl", "unmask", "--quiet", socket]);
      expect(await tick(host)).toBe(0);
    }),
  );

  test(
    "started by hand waits for nobody for long and ends well; without its socket it does not start",
    scenario(withUpdater({ suite }), async (stage) => {
      const host = await quietHost(stage);
      expect((await host.run(["systemctl", "start", asking])).status).not.toBe(0);
      expect(await host.journal(asking)).toContain("is for svc-upgrade-ask.service alone");
      expect(await tick(host)).toBe(0);
      expect((await host.run(["systemctl", "start", asking], { timeoutMs: 30_000 })).status).toBe(0);
      expect(await host.journal(asking)).toContain("no request came");
    }),
  );
});
