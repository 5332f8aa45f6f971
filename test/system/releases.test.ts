import { describe, expect, test } from "vitest";
import { tomorrow } from "../updater/record/tomorrow.ts";
import { buildAgent } from "./lab/agent.ts";
import { rpmSuites, suites, type Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type LabTest, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning, lastPass } from "./moves.ts";
import { installedRelease, publishReleases, replaceBy, stateOf, stepInHand, writeState } from "./releases.ts";
import { configure, outdatedHost, runNow, schedule, tick, withUpdater } from "./updater.ts";

const everywhere: readonly Suite[] = [...suites, ...rpmSuites];

type Remembered = {
  readonly [key: string]: unknown;
  readonly passes: readonly { readonly decision?: { readonly why: string } }[];
};

/** What passes left, as the release on the host tells it. */
async function remembered(host: Host): Promise<Remembered> {
  const { passes, rejected, kept, previous, wait, operator, success, contact } = JSON.parse(
    await host.mustRun(["svc-upgrade", "status", "--json"]),
  ) as Remembered;
  return { passes, rejected, kept, previous, wait, operator, success, contact };
}

async function expectNothingAside(host: Host): Promise<void> {
  expect(await host.mustRun(["find", "/var/lib", "-path", "*/svc-upgrade*", "-name", "*unreadable*"])).toBe("");
}

function released(suite: Suite, play: (stage: Stage) => Promise<void>): LabTest {
  return scenario(withUpdater({ suite }), async (stage) => {
    await outdatedHost(stage);
    await publishReleases(stage.host, stage.repository);
    // No pass but those that are asked for.
    await stage.host.mustRun(["systemctl", "disable", "--now", "--quiet", "svc-upgrade.timer"]);
    await play(stage);
  });
}

async function timerState(host: Host): Promise<readonly string[]> {
  const [enabled, active] = await Promise.all(
    ["is-enabled", "is-active"].map((question) => host.run(["systemctl", question, "svc-upgrade.timer"])),
  );
  return [enabled!.stdout.trim(), active!.stdout.trim()];
}

describe.each(everywhere)("from one release to the next and back, on %s", (suite) => {
  test(
    "history, rejections, kept packages, a hold and a timer that is off stay as they were",
    released(suite, async (stage) => {
      const { host, repository, versions } = stage;
      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
      await repository.publish(await buildAgent(host, { version: "15.4.7", start: "crashes" }));
      versions.serve("default", { version: "v15.4.7" });
      expect(await tick(host)).toBe(10);
      await expectRunning(host, "15.4.6");
      await host.mustRun(["svc-upgrade", "hold", "--until", "2h", "--reason", "freeze"]);
      for (const release of ["newer", "built"] as const) {
        const before = await remembered(host);
        await replaceBy(host, release);
        expect(await installedRelease(host)).toBe(release);
        expect(await remembered(host)).toEqual(before);
        expect(before).toMatchObject({ rejected: [{ version: "15.4.7" }], previous: { version: "15.4.5" } });
        expect(before["kept"]).not.toEqual([]);
        expect(await timerState(host)).toEqual(["disabled", "inactive"]);
        expect(await tick(host)).toBe(0);
        expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "held" } });
      }
      await host.mustRun(["svc-upgrade", "unhold"]);
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "rejected" } });
      expect((await host.run(["svc-upgrade", "rollback"], { timeoutMs: 120_000 })).status).toBe(0);
      await expectRunning(host, "15.4.5");
      await expectNothingAside(host);
    }),
  );

  test(
    "a pass that runs while the package is replaced goes on to its end",
    released(suite, async ({ host }) => {
      await configure(host, "health: {settle: 12s}\n", "60-settle");
      const passing = runNow(host);
      await until("the agent is watched", 120_000, async () => ((await stepInHand(host)) === "health" ? true : undefined));
      await replaceBy(host, "newer");
      expect((await passing).status).toBe(0);
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved" } });
      await expectRunning(host, "15.4.6");
      expect(await tick(host)).toBe(0);
      await expectNothingAside(host);
    }),
  );

  test(
    "the words and keys of a release of tomorrow are kept",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "closed");
      await tick(host);
      await writeState(host, tomorrow(JSON.stringify(await stateOf(host))));
      expect(await tick(host)).toBe(0);
      const { passes } = await remembered(host);
      expect(passes.map(({ decision }) => decision?.why)).toEqual(["outside-window", "new-outside-window"]);
      expect(await stateOf(host)).toMatchObject({ novelty: { of: ["the", "state", 1, null] } });
      await expectNothingAside(host);
    }),
  );
});
