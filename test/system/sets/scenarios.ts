import { describe, expect, test } from "vitest";
import { exitStatus } from "../../../src/rules/fault/explain.ts";
import { buildAgent } from "../lab/agent.ts";
import { breaking, buildCompanion, locked, membersIn } from "../lab/agent-set.ts";
import type { Suite } from "../lab/base.ts";
import { buildPackage, packageVersion } from "../lab/package.ts";
import { emptyCaches, installPackage, refreshLists, tryInstall } from "../lab/package-tools.ts";
import { scenario, type Stage } from "../lab/scenario.ts";
import { expectRunning, lastPass } from "../moves.ts";
import { configure, runNow, tick, withUpdater } from "../updater.ts";
import {
  type Versions,
  automatic,
  breakCompanion,
  brokenVersions,
  doctorOnPrevious,
  expectAt,
  expectNoRollbackTold,
  expectOutcome,
  expectRollbackRefused,
  isInstalled,
  lockedVersions,
  mainPid,
  outdatedSet,
  promises,
  rollback,
  screen,
  warnings,
} from "./stage.ts";

const longestMs = 600_000;

export function setsOn(suite: Suite): void {
  movesLocked(suite);
  for (const tell of [breakingOlder, withoutOldPackage, adding, downAndHalfWay]) tell(suite);
}

/** The oldest of a family is asked for this alone. */
export function movesLocked(suite: Suite): void {
  describe("an agent whose companions are locked to its version", () => {
    test(
      "is moved, taken back by hand, and undone when ill, always with all of them",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host, repository, versions } = stage;
        await outdatedSet(stage, lockedVersions, "keep_previous: require\n");
        const marked = await automatic(host);
        expect(marked).toBe(host.family === "apt" ? "svc-ent-bin\nsvc-ent-data\n" : "");
        expect(await doctorOnPrevious(host)).toMatchObject({ verdict: "ok" });

        expect(await tick(host)).toBe(0);
        await expectOutcome(host, "moved", "15.4.6");
        await expectAt(host, "15.4.6");
        expect(await automatic(host)).toBe(marked);
        expect(await screen(host)).toMatch(promises(host, "15.4.5"));

        // What was promised is there, whatever else is not.
        await emptyCaches(host);
        await host.network.cable("out");
        const back = await rollback(host);
        expect([back.status, back.stdout, back.stderr]).toEqual([0, expect.stringContaining("downgraded"), expect.anything()]);
        await expectOutcome(host, "moved", "15.4.5");
        await expectAt(host, "15.4.5");
        expect(await automatic(host)).toBe(marked);

        await host.network.cable("in");
        await host.mustRun(["svc-upgrade", "retry"]);
        expect((await runNow(host)).status).toBe(0);
        await expectAt(host, "15.4.6");
        expect(await doctorOnPrevious(host)).toMatchObject({ verdict: "ok" });

        // The network goes before the version shows that it is ill.
        await repository.publish(...(await locked.build(host, { version: "15.4.7", start: "crashes-later" })));
        versions.serve("default", { version: "v15.4.7" });
        await configure(host, "health: {settle: 8s}\n", "60-settle");
        const pass = tick(host);
        await isInstalled(host, "15.4.7");
        await host.network.cable("out");
        expect(await pass).toBe(10);
        await expectOutcome(host, "undone", "15.4.6");
        await expectAt(host, "15.4.6");
        expect(await automatic(host)).toBe(marked);

        await host.network.cable("in");
        await configure(host, "health: {settle: 1s}\n", "60-settle");
        await repository.publish(...(await locked.build(host, { version: "15.4.8" })));
        versions.serve("default", { version: "v15.4.8" });
        expect(await tick(host)).toBe(0);
        await expectAt(host, "15.4.8");
      }),
      longestMs,
    );
  });
}

function breakingOlder(suite: Suite): void {
  describe("an agent whose companion breaks its older versions", () => {
    test(
      "goes back together with it, by hand and when ill",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host, repository, versions } = stage;
        await outdatedSet(stage, brokenVersions, "keep_previous: require\n");
        expect(await tick(host)).toBe(0);
        await expectAt(host, "15.4.6", breaking.names);
        expect((await rollback(host)).status).toBe(0);
        await expectOutcome(host, "moved", "15.4.5");
        await expectAt(host, "15.4.5", breaking.names);

        await repository.publish(...(await breaking.build(host, { version: "15.4.7", start: "crashes" })));
        versions.serve("default", { version: "v15.4.7" });
        expect(await tick(host)).toBe(10);
        await expectOutcome(host, "undone", "15.4.5");
        await expectAt(host, "15.4.5", breaking.names);
      }),
      longestMs,
    );

    test(
      "is not taken back where somebody has moved the companion since",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host, repository } = stage;
        await outdatedSet(stage, brokenVersions);
        expect(await tick(host)).toBe(0);
        await repository.publish(await buildCompanion(host, { name: "svc-ent-libs", version: "15.4.7" }));
        await refreshLists(host);
        await installPackage(host, "svc-ent-libs", "15.4.7");
        await expectRollbackRefused(host, breaking.names, { code: "plan-refused", why: /svc-ent-libs/ });
        await expectRunning(host, "15.4.6");
      }),
      longestMs,
    );
  });
}

function withoutOldPackage(suite: Suite): void {
  describe("a companion whose old package cannot be had", () => {
    /** All of the older set is installed, and of its data the repository has the newer package alone. */
    async function withoutData(stage: Stage, settings: string): Promise<void> {
      await outdatedSet(stage, lockedVersions, settings);
      await stage.repository.withdraw("svc-ent-data", "15.4.5");
      await refreshLists(stage.host);
      await emptyCaches(stage.host);
    }

    test(
      "leaves no rollback, and nobody says that there is one",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host } = stage;
        await withoutData(stage, "keep_previous: prefer\n");
        expect(await doctorOnPrevious(host)).toMatchObject({
          verdict: "warning",
          told: expect.stringMatching(/svc-ent-data 15\.4\.5.*the move cannot be rolled back/),
        });
        expect(await tick(host)).toBe(0);
        await expectOutcome(host, "moved", "15.4.6");
        await expectAt(host, "15.4.6");
        expect(await warnings(host)).toMatch(/^the move cannot be rolled back: .*svc-ent-data/m);
        await expectRollbackRefused(host, locked.names, { code: "no-way-back", why: /svc-ent-data/ });
        await expectAt(host, "15.4.6");
        await expectNoRollbackTold(host, /svc-ent-data/);
      }),
      longestMs,
    );

    test(
      "keeps a host from moving that requires one",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host } = stage;
        await withoutData(stage, "keep_previous: require\n");
        const pid = await mainPid(host);
        expect(await doctorOnPrevious(host)).toMatchObject({
          verdict: "warning",
          told: expect.stringMatching(/svc-ent-data 15\.4\.5.*the move is refused/),
        });
        expect(await tick(host)).toBe(exitStatus("not-kept"));
        expect(await lastPass(host)).toMatchObject({ outcome: { kind: "failed", step: "keep", fault: { code: "not-kept" } } });
        await expectAt(host, "15.4.5");
        expect(await mainPid(host)).toBe(pid);
      }),
      longestMs,
    );

    test(
      "and that no move has taken along yet is no reason to promise one",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host, repository, versions } = stage;
        // The first move takes the agent alone; the next one a library, too, of which no repository has what is installed.
        await outdatedSet(stage, {
          older: brokenVersions.older,
          newer: async (hostToo) => [await buildAgent(hostToo, { version: "15.4.6", depends: ["svc-ent-libs"] })],
        });
        expect(await tick(host)).toBe(0);
        await repository.withdraw("svc-ent-libs", "15.4.5");
        await repository.publish(...(await breaking.build(host, { version: "15.4.7" })));
        await refreshLists(host);
        await emptyCaches(host);
        versions.serve("default", { version: "v15.4.7" });
        await configure(host, "keep_previous: require\n", "60-keep");
        expect(await tick(host)).toBe(exitStatus("not-kept"));
        const told = await screen(host);
        expect(told).not.toMatch(new RegExp(`after the next move: to ${packageVersion(host, "15.4.6")}`));
        expect(await doctorOnPrevious(host)).toMatchObject({
          verdict: "warning",
          told: expect.stringMatching(/svc-ent-libs 15\.4\.5/),
        });
        await expectRunning(host, "15.4.6");
      }),
      longestMs,
    );
  });
}

function adding(suite: Suite): void {
  describe("a package that a move adds", () => {
    const withExtra = (relations: { readonly breaks?: readonly string[] }): Versions => ({
      older: lockedVersions.older,
      newer: async (host) => [
        ...(await locked.build(host, { version: "15.4.6", depends: ["svc-ent-extra"] })),
        await buildCompanion(host, { name: "svc-ent-extra", version: "15.4.6", ...relations }),
      ],
    });

    test(
      "stays at a rollback, where the old set can stand beside it",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host } = stage;
        await outdatedSet(stage, withExtra({}), "keep_previous: require\n");
        expect(await tick(host)).toBe(0);
        await expectAt(host, "15.4.6", [...locked.names, "svc-ent-extra"]);
        expect(await screen(host)).toMatch(promises(host, "15.4.5"));
        await host.network.cable("out");
        expect((await rollback(host)).status).toBe(0);
        await expectAt(host, "15.4.5");
        expect(await membersIn(host, ["svc-ent-extra"])).toEqual([`svc-ent-extra ${packageVersion(host, "15.4.6")} installed`]);
      }),
      longestMs,
    );

    test(
      "leaves no rollback, where it cannot",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host } = stage;
        const breaks = [`svc-ent (<< ${packageVersion(host, "15.4.6")})`];
        await outdatedSet(stage, withExtra({ breaks }), "keep_previous: require\n");
        expect(await tick(host)).toBe(exitStatus("not-kept"));
        await expectAt(host, "15.4.5");
        expect(await membersIn(host, ["svc-ent-extra"])).toEqual([]);

        await configure(host, "keep_previous: prefer\n", "60-keep");
        expect((await runNow(host)).status).toBe(0);
        await expectAt(host, "15.4.6", [...locked.names, "svc-ent-extra"]);
        await expectRollbackRefused(host, locked.names, { code: "no-way-back", why: /svc-ent-extra/ });
        await expectAt(host, "15.4.6", [...locked.names, "svc-ent-extra"]);
        await expectNoRollbackTold(host, /svc-ent-extra/);
      }),
      longestMs,
    );
  });
}

function downAndHalfWay(suite: Suite): void {
  describe("companions", () => {
    test(
      "go down with the agent, where an older version is served and that is allowed",
      scenario(withUpdater({ suite }), async (stage) => {
        const { host, repository, versions } = stage;
        await outdatedSet(stage, lockedVersions, "downgrade: allow\n");
        await repository.publish(...(await locked.build(host, { version: "15.4.4" })));
        const marked = await automatic(host);
        versions.serve("default", { version: "v15.4.4" });
        expect(await tick(host)).toBe(0);
        await expectOutcome(host, "moved", "15.4.4");
        await expectAt(host, "15.4.4");
        expect(await automatic(host)).toBe(marked);
      }),
      longestMs,
    );

    for (const keep of ["prefer", "never"] as const) {
      test(
        `that are half-way are repaired, and nothing else is touched, with keep_previous: ${keep}`,
        scenario(withUpdater({ suite }), async (stage) => {
          const { host, repository } = stage;
          await outdatedSet(stage, lockedVersions, `keep_previous: ${keep}\n`);
          await repository.publish(await buildPackage(host, { name: "other", version: "1.0" }));
          await refreshLists(host);
          await installPackage(host, "other", "1.0");
          await repository.publish(await buildPackage(host, { name: "other", version: "2.0" }));
          expect(await tick(host)).toBe(0);

          if (keep === "prefer") {
            // What is kept is enough.
            await emptyCaches(host);
            await repository.server.goDown();
          }
          for (const last of host.family === "apt" ? (["newer"] as const) : (["older", "newer"] as const)) {
            await breakCompanion(stage, last);
            expect([last, await tick(host)]).toEqual([last, 0]);
            await expectAt(host, "15.4.6");
            expect(await membersIn(host, ["other"])).toEqual([`other ${packageVersion(host, "1.0")} installed`]);
          }
        }),
        longestMs,
      );
    }
  });
}

/** Of the package managers dpkg alone leaves a package half-way whose script fails. */
export function besidesOthers(suite: Suite): void {
  test(
    "what is half-way of other people is left to them while a companion is repaired",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host, repository } = stage;
      await outdatedSet(stage, lockedVersions);
      expect(await tick(host)).toBe(0);
      const scripts = { postinst: "echo tried >>/root/other-tried; test -e /run/may-configure\n" };
      await repository.publish(await buildPackage(host, { name: "other", version: "1.0", scripts }));
      await refreshLists(host);
      await tryInstall(host, "other", "1.0");
      await breakCompanion(stage);
      expect(await tick(host)).toBe(0);
      expect(await membersIn(host, [...locked.names, "other"])).toEqual([
        "other 1.0 half-configured",
        ...locked.names.map((name) => `${name} 15.4.6 installed`),
      ]);
      expect(await host.read("/root/other-tried")).toBe("tried\n");
      await expectRunning(host, "15.4.6");
    }),
    longestMs,
  );
}
