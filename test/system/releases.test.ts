import { describe, expect, test } from "vitest";
import { missingHistory } from "../first-release/source.ts";
import { tomorrow } from "../record/tomorrow.ts";
import { buildAgent } from "./lab/agent.ts";
import { rpmSuites, suites, type Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type LabTest, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning } from "./moves.ts";
import {
  installedRelease,
  otherRelease,
  publishReleases,
  replaceBy,
  replaceByFile,
  lastPassOf,
  stateOf,
  stepInHand,
  withFirstRelease,
  writeState,
  type Release,
  type StateFile,
} from "./releases.ts";
import { configure, outdatedHost, runNow, schedule, tick } from "./updater.ts";

const missing = missingHistory();
if (missing !== undefined) console.error(`\n*** SKIPPED ***\nThe upgrade from the first release and back: ${missing}\n`);

const everywhere: readonly Suite[] = [...suites, ...rpmSuites];

/** What passes left, as the release on the host tells it. */
async function remembered(host: Host): Promise<StateFile> {
  const { passes, rejected, kept, previous, wait, operator, success, contact } = JSON.parse(
    await host.mustRun(["svc-upgrade", "status", "--json"]),
  ) as StateFile;
  return { passes, rejected, kept, previous, wait, operator, success, contact };
}

/** Why passes stayed, as the release on the host tells it, newest first. */
async function lastDecisions(host: Host): Promise<readonly unknown[]> {
  const { passes } = (await remembered(host)) as unknown as {
    readonly passes: readonly { readonly decision?: { readonly why: string } }[];
  };
  return passes.map(({ decision }) => decision?.why);
}

async function expectNothingAside(host: Host): Promise<void> {
  expect(await host.mustRun(["find", "/var/lib", "-path", "*/svc-upgrade*", "-name", "*unreadable*"])).toBe("");
}

function onFirst(suite: Suite, play: (stage: Stage) => Promise<void>): LabTest {
  return scenario(withFirstRelease({ suite }), async (stage) => {
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

describe.skipIf(missing !== undefined).each(everywhere)("from the first release to today's and back, on %s", (suite) => {
  test(
    "history, rejections, kept packages, a hold and a timer that is off stay as they were",
    onFirst(suite, async (stage) => {
      const { host, repository, versions } = stage;
      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
      await repository.publish(await buildAgent(host, { version: "15.4.7", start: "crashes" }));
      versions.serve("default", { version: "v15.4.7" });
      expect(await tick(host)).toBe(10);
      await expectRunning(host, "15.4.6");
      await host.mustRun(["svc-upgrade", "hold", "--until", "2h", "--reason", "freeze"]);
      for (const release of ["today's", "first"] as const) {
        const before = await remembered(host);
        await replaceBy(host, release);
        expect(await installedRelease(host)).toBe(release);
        // What passes find where nothing is moved or learnt stays with the release that found it.
        const { passes, success: _success, contact: _contact, ...learnt } = before;
        const after = await remembered(host);
        expect(after).toMatchObject(learnt);
        expect(after.passes).toEqual(release === "first" ? passes.slice(1) : passes);
        expect(before).toMatchObject({ rejected: [{ version: "15.4.7" }], previous: { version: "15.4.5" } });
        expect(before["kept"]).not.toEqual([]);
        expect(await timerState(host)).toEqual(["disabled", "inactive"]);
        expect(await tick(host)).toBe(0);
        expect(await lastPassOf(host)).toMatchObject({ decision: { kind: "stay", why: "held" } });
      }
      await host.mustRun(["svc-upgrade", "unhold"]);
      expect(await tick(host)).toBe(0);
      expect(await lastPassOf(host)).toMatchObject({ decision: { kind: "stay", why: "rejected" } });
      await replaceBy(host, "today's");
      expect((await host.run(["svc-upgrade", "rollback"], { timeoutMs: 120_000 })).status).toBe(0);
      await expectRunning(host, "15.4.5");
      await expectNothingAside(host);
    }),
  );
});

describe.skipIf(missing !== undefined).each(everywhere)(
  "from a release of tomorrow to today's and to the first, on %s",
  (suite) => {
    test(
      "its words and keys are kept by today's, and the first goes by the nearest of its own",
      onFirst(suite, async ({ host }) => {
        await schedule(host, "closed");
        await replaceBy(host, "today's");
        await tick(host);
        await writeState(host, tomorrow(JSON.stringify(await stateOf(host))));
        expect(await tick(host)).toBe(0);
        expect(await lastDecisions(host)).toEqual(["outside-window", "new-outside-window"]);
        expect(await stateOf(host)).toMatchObject({ novelty: { of: ["the", "state", 1, null] } });
        await replaceBy(host, "first");
        expect(await tick(host)).toBe(0);
        expect(await lastDecisions(host)).toEqual(["outside-window", "outside-window"]);
        await expectNothingAside(host);
      }),
    );
  },
);

/** Both ways: the release that stages it, and the other one that takes over. */
const ways = everywhere.flatMap((suite) => (["first", "today's"] as const).map((release) => ({ suite, release })));

describe.skipIf(missing !== undefined).each(ways)("on $suite, what the $release release left, the other takes over:", (way) => {
  const { suite, release } = way;
  const next = otherRelease(release);
  const staged = (play: (stage: Stage) => Promise<void>): LabTest =>
    onFirst(suite, async (stage) => {
      if (release !== "first") await replaceBy(stage.host, release);
      await play(stage);
    });

  test(
    "a wait after a failure, and the need of a person",
    staged(async ({ host, versions }) => {
      versions.serve("default", { version: "v15.4.9" });
      await schedule(host, "open");
      await tick(host);
      await replaceBy(host, next);
      expect(await remembered(host)).toMatchObject({ wait: { version: "15.4.9", failures: 1, fault: { code: "not-offered" } } });
      expect(await tick(host)).toBe(0);
      expect(await lastPassOf(host)).toMatchObject({ decision: { kind: "stay", why: "backing-off" } });
      await writeState(host, JSON.stringify({ ...(await stateOf(host)), needsOperator: { at: 1_800_000_000, why: "staged" } }));
      await replaceBy(host, release);
      expect(await remembered(host)).toMatchObject({ operator: { why: "staged" } });
      expect(await tick(host)).toBe(0);
      expect(await lastPassOf(host)).toMatchObject({ decision: { kind: "stay", why: "needs-operator" } });
      await replaceBy(host, next);
      await host.mustRun(["svc-upgrade", "retry"]);
      versions.serve("default", { version: "v15.4.6" });
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
      await expectNothingAside(host);
    }),
  );

  const cuts = [
    { step: "install", scripts: "slow", start: "runs", ends: "15.4.7" },
    { step: "health", scripts: "silent", start: "runs", ends: "15.4.7" },
    { step: "back-health", scripts: "silent", start: "crashes", ends: "15.4.5" },
  ] as const;

  for (const { step, scripts, start, ends } of cuts) {
    test(
      `a move that a power cut ended at the step ${step}`,
      staged(async ({ host, repository, versions }) => {
        await configure(host, "health: {settle: 15s}\n", "60-settle");
        await repository.publish(await buildAgent(host, { version: "15.4.7", scripts, start }));
        versions.serve("default", { version: "v15.4.7" });
        const passing = runNow(host).catch(() => undefined);
        await inHand(host, release, step);
        // Written down before it is asked for; only now has it begun.
        if (step === "install") await packageScriptRuns(host);
        await host.powerCut();
        await passing;
        await host.boot();
        await replaceByFile(host, next);
        await configure(host, "health: {settle: 1s}\n", "60-settle");
        const { status } = await runNow(host);
        expect(await lastPassOf(host)).toMatchObject({ recovered: { step } });
        expect([ends, status]).toEqual([ends, ends === "15.4.7" ? 0 : 10]);
        await expectRunning(host, ends);
        await expectNothingAside(host);
      }),
    );
  }

  test(
    "a pass that runs while the package is replaced goes on to its end",
    staged(async ({ host }) => {
      await configure(host, "health: {settle: 12s}\n", "60-settle");
      const passing = runNow(host);
      await inHand(host, release, "health");
      await replaceBy(host, next);
      expect((await passing).status).toBe(0);
      expect(await lastPassOf(host, release)).toMatchObject({ outcome: { kind: "moved" } });
      await expectRunning(host, "15.4.6");
      expect(await tick(host)).toBe(0);
      await expectNothingAside(host);
    }),
  );

  test(
    "a question that one release asks, and that the other is not asked in the same way: the pass ends, and the next one goes on",
    staged(async ({ host }) => {
      await schedule(host, "closed");
      await host.write(
        "/etc/systemd/system/svc-upgrade-ask.service.d/slow.conf",
        "[Service]\nExecStartPre=/bin/sh -c 'until test -e /etc/answer-now; do sleep 0.1; done'\n",
      );
      await host.mustRun(["systemctl", "daemon-reload"]);
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await until("it asks", 60_000, async () => {
        const state = await host.enter(["systemctl", "show", "--property=SubState", "--value", "svc-upgrade-ask.service"]);
        return state.stdout.trim() === "start-pre" ? true : undefined;
      });
      await replaceByFile(host, next);
      await host.write("/etc/answer-now", "");
      await passEnds(host);
      expect(await lastPassOf(host, release)).toMatchObject({ outcome: { kind: "stopped", fault: { code: "ask-failed" } } });
      expect(await tick(host)).toBe(0);
      expect(await lastPassOf(host)).toMatchObject({ decision: { kind: "stay", why: "outside-window" }, served: "15.4.6" });
      await expectNothingAside(host);
    }),
  );
});

async function inHand(host: Host, release: Release, step: string): Promise<void> {
  await until(`the step ${step} is in hand`, 120_000, async () =>
    (await stepInHand(host, release)) === step ? true : undefined,
  );
}

async function packageScriptRuns(host: Host): Promise<void> {
  await until("the package's own script runs", 60_000, async () => {
    const { status } = await host.enter(["pgrep", "--full", "--exact", "sleep 4"]);
    return status === 0 ? true : undefined;
  });
}

async function passEnds(host: Host): Promise<void> {
  await until("the pass ends", 120_000, async () => {
    const { stdout } = await host.enter(["systemctl", "is-active", "svc-upgrade.service"]);
    return stdout.trim() === "activating" ? undefined : true;
  });
}
