import { describe, expect, test } from "vitest";
import { buildAgent, installAgent, type AgentOptions } from "./lab/agent.ts";
import { rpmSuites, type Family, type Suite } from "./lab/base.ts";
import { holdManagerLock } from "./lab/manager-lock.ts";
import { buildPackage, packageVersion } from "./lab/package.ts";
import type { Relations } from "./lab/package-recipe.ts";
import {
  downgradePackage,
  installedPackage,
  installPackage,
  refreshLists,
  removePackage,
  tryInstall,
} from "./lab/package-tools.ts";
import { serveRepository } from "./lab/repository.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { holdPackage } from "./moves.ts";

/** The lab's packages and repositories in the hands of the real tools: what the scenarios of every family rest on. */

type Each<Told> = Readonly<Record<Family, Told>>;

describe.each<Suite>(["bookworm", ...rpmSuites])("packages on %s", (suite) => {
  test(
    "go up and down to the exact version, and away",
    scenario({ suite }, async ({ host, repository }) => {
      const steps = [
        ["15.4.5", packageVersion(host, "15.4.5")],
        ["15.4.6-rc.1", "15.4.6~rc.1-1"],
        ["15.4.6", "15.4.6-1"],
        ["15.4.6", "15.4.6-2.el9"],
        ["15.4.6", "5:15.4.6-1.el9"],
      ] as const;
      for (const [version, inPackage] of steps)
        await repository.publish(await buildAgent(host, { version, packageVersion: inPackage }));
      await refreshLists(host);
      for (const [, inPackage] of steps) {
        await installPackage(host, "svc-ent", inPackage);
        expect(await installedPackage(host, "svc-ent")).toBe(inPackage);
      }
      for (const [version, inPackage] of steps.toReversed().slice(1)) {
        await downgradePackage(host, "svc-ent", inPackage);
        expect(await installedPackage(host, "svc-ent")).toBe(inPackage);
        expect(await host.mustRun(["svc", "version"])).toContain(` v${version} `);
      }
      await removePackage(host, "svc-ent");
      expect((await host.run(["test", "-e", "/usr/bin/svc"])).status).toBe(1);
    }),
  );

  test(
    "are offered by an index whose signature is good, and by no other",
    scenario({ suite }, async ({ host, repository }) => {
      const refresh: Each<readonly string[]> = {
        apt: ["apt-get", "update", "--error-on=any"],
        yum: ["yum", "-y", "makecache"],
        zypper: ["zypper", "--non-interactive", "refresh", "svc"],
      };
      const refused = [
        ["missing", /is no longer signed|signature is not available|is unsigned/],
        ["unknown-key", /NO_PUBKEY|Bad GPG signature|signed with an unknown key/],
        ["altered", /BADSIG|Bad GPG signature|modified after it has been signed/],
      ] as const;
      await repository.publish(await buildAgent(host, { version: "15.4.5" }));
      await refreshLists(host);
      for (const [signature, says] of refused) {
        await repository.sign(signature);
        const { status, stdout, stderr } = await host.run(refresh[host.family]);
        expect([signature, status === 0, stdout + stderr]).toEqual([signature, false, expect.stringMatching(says)]);
      }
      await repository.sign("good");
      expect((await host.run(refresh[host.family])).status).toBe(0);
    }),
  );

  test(
    "are refused when their bytes are not those of the index, and when they are gone",
    scenario({ suite }, async (stage) => {
      const { host, repository } = stage;
      await agentAndNext(stage, {});
      await repository.alter("svc-ent", "15.4.6");
      expect((await tryInstall(host, "svc-ent", "15.4.6")).status).not.toBe(0);
      await repository.withdraw("svc-ent", "15.4.6");
      expect((await tryInstall(host, "svc-ent", "15.4.6")).status).not.toBe(0);
      expect(await installedPackage(host, "svc-ent")).toBe(packageVersion(host, "15.4.5"));
    }),
  );

  test(
    "need, break, obsolete and stand for others as they were told to",
    scenario({ suite }, async ({ host, repository }) => {
      const build = (name: string, relations: Relations = {}): Promise<string> =>
        buildPackage(host, { name, version: "1.0-1", ...relations });
      // Of a package that is gone dpkg may know the name.
      const isThere = (name: string): Promise<boolean> =>
        installedPackage(host, name).then(
          (version) => version !== "",
          () => false,
        );
      await repository.publish(
        await build("library"),
        await build("user", { depends: ["library (= 1.0-1)", "virtual"] }),
        await build("stand-in", { provides: ["virtual"] }),
        await build("breaker", { breaks: ["library (<< 2.0-1)"] }),
        await build("rival", { conflicts: ["library"] }),
        await build("heir", { obsoletes: ["stand-in"], provides: ["virtual"] }),
      );
      await refreshLists(host);
      await installPackage(host, "stand-in", "1.0-1");
      await installPackage(host, "user", "1.0-1");
      expect([await isThere("library"), await isThere("stand-in")]).toEqual([true, true]);
      await installPackage(host, "heir", "1.0-1");
      expect([await isThere("user"), await isThere("stand-in")]).toEqual([true, false]);
      for (const other of ["breaker", "rival"]) {
        await tryInstall(host, other, "1.0-1");
        expect([other, await isThere("library"), await isThere(other)]).toContain(false);
      }
    }),
  );

  test(
    "stay where an admin holds them",
    scenario({ suite }, async (stage) => {
      const { host } = stage;
      await agentAndNext(stage, {});
      await holdPackage(host, "svc-ent");
      const { status, stdout, stderr } = await tryInstall(host, "svc-ent", "15.4.6");
      expect(status).toBe({ apt: 100, yum: 1, zypper: 4 }[host.family]);
      expect(stdout + stderr).toMatch(/Held packages were changed|exclude filtering|remove lock to allow/);
      expect(await installedPackage(host, "svc-ent")).toBe(packageVersion(host, "15.4.5"));
    }),
  );

  test(
    "are in place although their last script fails",
    scenario({ suite }, async (stage) => {
      const { host } = stage;
      await agentAndNext(stage, { scripts: "failing" });
      const { status, stdout, stderr } = await tryInstall(host, "svc-ent", "15.4.6");
      expect(status).toBe({ apt: 100, yum: 0, zypper: 107 }[host.family]);
      expect(stdout + stderr).toContain("svc-ent: the postinst fails");
      expect(await installedPackage(host, "svc-ent")).toBe(packageVersion(host, "15.4.6"));
    }),
  );

  test(
    "are not touched when their first script refuses",
    scenario({ suite }, async (stage) => {
      const { host } = stage;
      await agentAndNext(stage, { scripts: "refusing" });
      const { status, stdout, stderr } = await tryInstall(host, "svc-ent", "15.4.6");
      expect(status).toBe({ apt: 100, yum: 1, zypper: 8 }[host.family]);
      expect(stdout + stderr).toContain("svc-ent: the preinst fails");
      expect(await host.mustRun(["svc", "version"])).toContain(" v15.4.5 ");
    }),
  );

  test(
    "restart the agent when their scripts are a packager's",
    scenario({ suite }, async (stage) => {
      const { host } = stage;
      await agentAndNext(stage, { scripts: "restart" });
      const pid = (): Promise<string> => host.mustRun(["systemctl", "show", "--property=MainPID", "--value", "svc.service"]);
      const before = await pid();
      await installPackage(host, "svc-ent", "15.4.6");
      expect(await pid()).not.toBe(before);
    }),
  );

  test(
    "are not installed while another process has the manager's lock, and the holder is told",
    scenario({ suite }, async (stage) => {
      const { host } = stage;
      await agentAndNext(stage, {});
      // dnf alone would wait for ever.
      if (suite === "yum") await host.mustRun(["sh", "-c", "echo exit_on_lock=True >>/etc/dnf/dnf.conf"]);
      const lock = await holdManagerLock(host);
      const holder = (await host.mustRun(["systemctl", "show", "--property=MainPID", "--value", "lock-holder"])).trim();
      const busy: Each<readonly [number, string]> = {
        apt: [100, `It is held by process ${holder} (perl)`],
        yum: [200, `already locked by ${holder}`],
        zypper: [7, `locked by the application with pid ${holder}`],
      };
      const [exit, says] = busy[host.family];
      const { status, stderr } = await tryInstall(host, "svc-ent", "15.4.6");
      expect([status, stderr]).toEqual([exit, expect.stringContaining(says)]);
      await lock.release();
      expect((await tryInstall(host, "svc-ent", "15.4.6")).status).toBe(0);
    }),
  );

  test(
    "are told of in another language, where the host has one",
    scenario({ suite }, async (stage) => {
      const { host } = stage;
      await agentAndNext(stage, {});
      const asked: Each<readonly string[]> = {
        apt: ["apt-get", "--simulate", "install", "svc-ent=15.4.6"],
        yum: ["yum", "--assumeno", "install", "svc-ent-15.4.6-1"],
        zypper: ["zypper", "--non-interactive", "install", "--dry-run", "svc-ent=15.4.6-1"],
      };
      const { stdout } = await host.run(asked[host.family], { env: { LANG: "de_DE.UTF-8" } });
      expect(stdout).toMatch(/Paketlisten werden gelesen|Abhängigkeiten sind aufgelöst|Installierte Pakete werden gelesen/);
    }),
  );
});

describe.each(rpmSuites)("rpm packages on %s", (suite) => {
  test(
    "keep an admin's file, and lay theirs beside it",
    scenario({ suite }, async (stage) => {
      const { host, repository } = stage;
      await repository.publish(await buildAgent(host, { version: "15.4.5", conffiles: { "/etc/svc.conf": "first\n" } }));
      await installAgent(host, "15.4.5");
      await host.write("/etc/svc.conf", "mine\n");
      await repository.publish(await buildAgent(host, { version: "15.4.6", conffiles: { "/etc/svc.conf": "second\n" } }));
      await refreshLists(host);
      await installPackage(host, "svc-ent", "15.4.6");
      expect([await host.read("/etc/svc.conf"), await host.read("/etc/svc.conf.rpmnew")]).toEqual(["mine\n", "second\n"]);
    }),
  );

  for (const signature of ["missing", "unknown-key"] as const) {
    test(
      `are refused when their own signature is ${signature}, and checked`,
      scenario({ suite }, async (stage) => {
        const { host, repository } = stage;
        await agentAndNext(stage, {});
        // zypper takes a good signature of the index for one of its packages, unless it is told not to.
        await host.write(repository.sourcesFile, `${await host.read(repository.sourcesFile)}pkg_gpgcheck=1\n`);
        await repository.publishSigned(signature, await buildAgent(host, { version: "15.4.7" }));
        await refreshLists(host);
        const { status, stderr } = await tryInstall(host, "svc-ent", "15.4.7");
        expect(status).toBe(suite === "yum" ? 1 : 8);
        expect(stderr).toMatch(/GPG check FAILED|Signature verification failed/);
        await installPackage(host, "svc-ent", "15.4.6");
      }),
    );
  }

  test(
    "come from the repository of the better priority, whatever another has",
    scenario({ suite }, async (stage) => {
      const { host } = stage;
      await agentAndNext(stage, {});
      const preferred = await serveRepository(host, "preferred", { priority: 10 });
      await preferred.publish(await buildAgent(host, { version: "15.4.5", packageVersion: "15.4.5-2" }));
      await refreshLists(host);
      const update = suite === "yum" ? ["yum", "-y", "upgrade", "svc-ent"] : ["zypper", "--non-interactive", "update", "svc-ent"];
      await host.mustRun(update);
      expect(await installedPackage(host, "svc-ent")).toBe("15.4.5-2");
    }),
  );
});

/** 15.4.5 is running, and the repository has 15.4.6, made so. */
async function agentAndNext({ host, repository }: Stage, next: Partial<AgentOptions>): Promise<void> {
  // An rpm's restart is the last word of the package that goes.
  const scripts = next.scripts === "restart" ? "restart" : "silent";
  await repository.publish(
    await buildAgent(host, { version: "15.4.5", scripts }),
    await buildAgent(host, { version: "15.4.6", ...next }),
  );
  await installAgent(host, "15.4.5");
}
