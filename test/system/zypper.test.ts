import { describe, expect, test } from "vitest";
import { buildAgent, installAgent } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import { buildPackage } from "./lab/package.ts";
import { installedPackage, installPackage, refreshLists } from "./lab/package-tools.ts";
import type { ProgramResult } from "./lab/program.ts";
import { serveRepository } from "./lab/repository.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { behindProxy, proxyUrl, setVariables } from "./behind-proxy.ts";
import { startSquid } from "./lab/proxy.ts";
import { expectRunning, holdPackage, lastPass, tellHolds } from "./moves.ts";
import { configure, installUpdater, outdatedHost, schedule, tick } from "./updater.ts";

const zypper = { suite: "zypper" } as const;

/** What the settings otherwise refuse. */
const mayGoDown = (host: Host): Promise<void> => configure(host, "downgrade: allow\n", "60-downgrade");

const runNow = (host: Host): Promise<ProgramResult> => host.run(["svc-upgrade", "run", "--now"], { timeoutMs: 180_000 });

describe("zypper, in a pass", () => {
  test(
    "upgrades the agent in its window, and goes back when it is asked to",
    scenario(zypper, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "current" } });
      const back = await host.run(["svc-upgrade", "rollback"]);
      expect([back.status, back.stdout]).toEqual([0, "downgraded (15.4.6 -> 15.4.5)\n"]);
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "goes down when an older version is served",
    scenario(zypper, async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      await installPackage(host, "svc-ent", "15.4.6");
      await host.mustRun(["systemctl", "restart", "svc.service"]);
      await mayGoDown(host);
      versions.serve("default", { version: "v15.4.5" });
      expect((await runNow(host)).stdout).toBe("downgraded (15.4.6 -> 15.4.5)\n");
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "takes of several packages of the version the one that zypper would take: by the repository's priority, then the higher",
    scenario(zypper, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await mayGoDown(host);
      const agent = (packageVersion: string): Promise<string> => buildAgent(host, { version: "15.4.6", packageVersion });
      await repository.publish(await agent("15.4.6-2.1"), await agent("15.4.6-10.1"));
      await repository.publish(await buildAgent(host, { version: "15.5.0" }), await buildAgent(host, { version: "15.4.6-rc.1" }));
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6", "15.4.6-10.1");

      versions.serve("default", { version: "v15.4.6-rc.1" });
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6-rc.1", "15.4.6~rc.1-1");

      const preferred = await serveRepository(host, "preferred", { priority: 10 });
      await preferred.publish(await agent("15.4.6-3.1"));
      await refreshLists(host);
      versions.serve("default", { version: "v15.4.6" });
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6", "15.4.6-3.1");
    }),
  );

  test(
    "follows an epoch over its border and back",
    scenario(zypper, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await mayGoDown(host);
      await repository.publish(await buildAgent(host, { version: "15.4.7", packageVersion: "5:15.4.7-1" }));
      await repository.publish(await buildAgent(host, { version: "15.4.6", packageVersion: "5:15.4.6-1" }));
      versions.serve("default", { version: "v15.4.7" });
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.7", "5:15.4.7-1");
      versions.serve("default", { version: "v15.4.5" });
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "reads the same on a host that speaks German",
    scenario(zypper, async (stage) => {
      const { host, versions } = stage;
      await host.write("/etc/locale.conf", "LANG=de_DE.UTF-8\nLANGUAGE=de\n");
      await host.mustRun(["systemctl", "set-environment", "LANG=de_DE.UTF-8", "LANGUAGE=de", "LC_ALL=de_DE.UTF-8"]);
      await outdatedHost(stage);
      const speaks = await host.run(["zypper", "locks"], { env: { LANG: "de_DE.UTF-8", LANGUAGE: "de" } });
      expect(`${speaks.stdout}${speaks.stderr}`).toContain("Paketsperren");
      versions.serve("default", { version: "v15.9.9" });
      expect((await runNow(host)).status).toBe(75);
      expect((await lastPass(host)).outcome.fault?.code).toBe("not-offered");
      versions.serve("default", { version: "v15.4.6" });
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );

  test(
    "works below another root as it does on the machine",
    scenario(zypper, async ({ host, repository, versions }) => {
      const root = "/srv/image";
      await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
      await installUpdater(host);
      await host.mustRun(["mkdir", "-p", `${root}/etc/zypp/repos.d`, `${root}/etc/svc-upgrade`, `${root}/var/lib/rpm`]);
      await host.mustRun(["cp", repository.sourcesFile, `${root}/etc/zypp/repos.d/`]);
      await host.mustRun(["sh", "-c", `rpm --root ${root} --initdb && rpm --root ${root} --import /etc/pki/rpm-gpg/*`]);
      const settings = `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\nmanager: zypper\n`;
      await host.write(`${root}/etc/svc-upgrade/50-test.yaml`, settings);
      versions.serve("default", { version: "v15.4.5" });
      const first = await host.run(["svc-upgrade", "run", "--now", "--install", "--root", root]);
      expect([first.status, first.stderr]).toEqual([0, expect.any(String)]);
      versions.serve("default", { version: "v15.4.6" });
      expect((await host.run(["svc-upgrade", "run", "--now", "--root", root])).status).toBe(0);
      expect(await host.mustRun(["rpm", "--root", root, "-q", "--qf", "%{EVR}", "svc-ent"])).toBe("15.4.6-1");
      expect((await host.run(["rpm", "-q", "svc-ent"])).status).toBe(1);
    }),
  );
});

describe("zypper, where a repository is in trouble", () => {
  test(
    "upgrades beside foreign ones that are dead, one of them from the start, and forgets nothing of theirs",
    scenario(zypper, async (stage) => {
      const { host } = stage;
      const foreign = await serveRepository(host, "foreign");
      await outdatedHost(stage);
      await foreign.server.goDown();
      await host.write(
        "/etc/zypp/repos.d/never.repo",
        "[never]\nname=Never there\nbaseurl=http://127.0.0.1:9/never\nenabled=1\nautorefresh=1\n",
      );
      expect((await host.run(["zypper", "--non-interactive", "refresh"])).status).toBe(4);
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6");
      expect(await host.mustRun(["ls", "/var/cache/zypp/raw"])).toContain("foreign");
    }),
  );

  test(
    "says that the version is nowhere, with what there is; and that its own repository is down",
    scenario(zypper, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      versions.serve("default", { version: "v15.9.9" });
      expect((await runNow(host)).status).toBe(75);
      expect((await lastPass(host)).outcome).toMatchObject({
        step: "offer",
        fault: { code: "not-offered", message: expect.stringContaining("they offer 15.4.6-1, 15.4.5-1") as string },
      });
      await repository.server.goDown();
      versions.serve("default", { version: "v15.4.6" });
      expect((await runNow(host)).status).toBe(75);
      expect((await lastPass(host)).outcome).toMatchObject({ step: "refresh", fault: { code: "refresh-failed" } });
      await expectRunning(host, "15.4.5");
    }),
  );

  for (const signature of ["missing", "unknown-key", "altered"] as const) {
    test(
      `installs nothing whose lists are signed so: ${signature}`,
      scenario(zypper, async (stage) => {
        const { host, repository } = stage;
        await outdatedHost(stage);
        await repository.publish(await buildAgent(host, { version: "15.4.7" }));
        await repository.sign(signature);
        expect((await runNow(host)).status).toBe(69);
        expect((await lastPass(host)).outcome).toMatchObject({ step: "refresh", fault: { code: "package-untrusted" } });
        await expectRunning(host, "15.4.5");
      }),
    );
  }

  test(
    "installs no package that is unsigned where its signature counts, or of an unknown key, or altered, and imports no key",
    scenario(zypper, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      const keys = (): Promise<string> => host.mustRun(["rpm", "-qa", "gpg-pubkey"]);
      const before = await keys();
      await host.mustRun(["sh", "-c", `echo pkg_gpgcheck=1 >>${repository.sourcesFile}`]);
      await repository.publishSigned("missing", await buildAgent(host, { version: "15.4.7" }));
      await repository.publishSigned("unknown-key", await buildAgent(host, { version: "15.4.8" }));
      await repository.publish(await buildAgent(host, { version: "15.4.9" }));
      await repository.alter("svc-ent", "15.4.9-1");
      for (const [version, code, status] of [
        ["15.4.7", "package-untrusted", 69],
        ["15.4.8", "package-untrusted", 69],
        ["15.4.9", "download-failed", 75],
      ] as const) {
        versions.serve("default", { version });
        expect((await runNow(host)).status).toBe(status);
        expect((await lastPass(host)).outcome).toMatchObject({ step: "install", fault: { code } });
      }
      expect(await keys()).toBe(before);
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "trusts no key that a repository brings along and nobody has imported, and tells its fingerprint",
    scenario(zypper, async (stage) => {
      const { host, repository } = stage;
      await outdatedHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7" }));
      await host.mustRun(["sh", "-c", "rpm -e --force-debian --allmatches gpg-pubkey"]);
      expect((await runNow(host)).status).toBe(69);
      expect((await lastPass(host)).outcome).toMatchObject({
        step: "refresh",
        fault: {
          code: "package-untrusted",
          message: expect.stringMatching(/key that this host does not trust: [0-9A-F ]{40,}/) as string,
          hint: expect.stringContaining("sudo zypper refresh") as string,
        },
      });
      expect((await host.run(["rpm", "-q", "gpg-pubkey"])).status).toBe(1);
      await expectRunning(host, "15.4.5");
    }),
  );
});

describe("zypper, where something is in the way", () => {
  test(
    "respects a hold; overrides it where the settings say so, and leaves it in place",
    scenario(zypper, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      await holdPackage(host, "svc-*");
      const before = await tellHolds(host);
      expect(before).toContain("svc-*");
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "package-held" } });
      await expectRunning(host, "15.4.5");

      await configure(host, "holds: override\n", "60-holds");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
      expect(await tellHolds(host)).toBe(before);

      await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "refusing" }));
      versions.serve("default", { version: "v15.4.7" });
      expect((await runNow(host)).status).toBe(11);
      expect(await tellHolds(host)).toBe(before);
      await expectRunning(host, "15.4.6");
    }),
  );

  test(
    "refuses what would cost another package, and names it",
    scenario(zypper, async (stage) => {
      const { host, repository } = stage;
      await outdatedHost(stage);
      const companion = { name: "companion", version: "1.0", depends: ["svc-ent (<< 15.4.6)"] };
      await repository.publish(await buildPackage(host, companion));
      await refreshLists(host);
      await installPackage(host, "companion", "1.0");
      expect((await runNow(host)).status).toBe(69);
      expect((await lastPass(host)).outcome).toMatchObject({
        step: "simulate",
        fault: { code: "plan-refused", message: expect.stringContaining("deinstallation of companion-1.0-1") as string },
      });
      expect(await installedPackage(host, "companion")).toBe("1.0-1");
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "waits for a lock and then leaves it to the next pass, with the holder's name",
    scenario(zypper, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await host.mustRun(["systemd-run", "--unit=holder", "--quiet", "sh", "-c", "sleep 1000 & echo $! >/run/zypp.pid; wait"]);
      expect((await runNow(host)).status).toBe(75);
      expect((await lastPass(host)).outcome).toMatchObject({
        step: "refresh",
        fault: { code: "manager-busy", message: expect.stringMatching(/held by process \d+ \(.*sleep\)/) as string },
      });
      await host.mustRun(["systemctl", "stop", "holder"]);
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );

  test(
    "waits for a plain rpm that is at work",
    scenario(zypper, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await host.mustRun([
        "systemd-run",
        "--unit=holder",
        "--quiet",
        "perl",
        "-e",
        'use Fcntl; open my $f, "+>>", "/var/lib/rpm/.rpm.lock"; my $lock = pack "s s x4 q q l", F_WRLCK, 0, 0, 0, 0; fcntl $f, F_SETLK, $lock or die; sleep 5',
      ]);
      expect((await host.run(["rpm", "--import", "/etc/pki/rpm-gpg/RPM-GPG-KEY-svc"])).stderr).toContain("transaction lock");
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );

  test(
    "says that the disk is full, and leaves the agent as it is",
    scenario({ ...zypper, diskMegabytes: 400 }, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await host.run(["sh", "-c", "dd if=/dev/zero of=/root/full bs=64k; dd if=/dev/zero of=/root/fuller bs=1k"]);
      expect((await runNow(host)).status).not.toBe(0);
      await host.mustRun(["rm", "/root/full", "/root/fuller"]);
      await expectRunning(host, "15.4.5");
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );
});

describe("zypper, where a package does not come whole", () => {
  test(
    "says which script failed, and that the version is in place all the same",
    scenario(zypper, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "failing" }));
      versions.serve("default", { version: "v15.4.7" });
      expect((await runNow(host)).status).toBe(11);
      const { fault } = (await lastPass(host)).outcome;
      expect(fault?.code).toBe("install-failed");
      expect(fault?.message).toMatch(/status 107: .*%post\(svc-ent-15\.4\.7-1.*; svc-ent 15\.4\.7-1 is installed all the same$/);
      expect(await installedPackage(host, "svc-ent")).toBe("15.4.7-1");
      expect((await host.run(["systemctl", "is-active", "svc.service"])).stdout.trim()).toBe("active");
    }),
  );

  test(
    "leaves an edited configuration file alone and asks nothing",
    scenario(zypper, async (stage) => {
      const { host, repository, versions } = stage;
      const conf = (text: string): Record<string, string> => ({ "/etc/svc.conf": `${text}\n` });
      await repository.publish(
        await buildAgent(host, { version: "15.4.5", conffiles: conf("old") }),
        await buildAgent(host, { version: "15.4.6", conffiles: conf("new") }),
      );
      await installAgent(host, "15.4.5");
      await host.write("/etc/svc.conf", "edited\n");
      versions.serve("default", { version: "v15.4.6" });
      await installUpdater(host);
      await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`);
      expect((await runNow(host)).status).toBe(0);
      await expectRunning(host, "15.4.6");
      expect(await host.read("/etc/svc.conf")).toBe("edited\n");
      expect(await host.read("/etc/svc.conf.rpmnew")).toBe("new\n");
    }),
  );

  for (const [title, served] of [
    ["forward", "v15.4.7"],
    ["to the version before", "v15.4.5"],
    ["to a third", "v15.4.6"],
  ] as const) {
    test(
      `mends what a power cut in the middle of a transaction left, ${title}`,
      scenario(zypper, async (stage) => {
        const { host, repository, versions } = stage;
        await outdatedHost(stage);
        await mayGoDown(host);
        await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "slow" }));
        versions.serve("default", { version: "v15.4.7" });
        const passing = runNow(host).catch(() => undefined);
        await until("both versions are in the database", 60_000, async () => {
          const { stdout } = await host.enter(["rpm", "-q", "svc-ent"]);
          return stdout.trim().split("\n").length === 2 ? true : undefined;
        });
        await host.powerCut();
        await passing;
        await host.boot();
        expect((await host.mustRun(["rpm", "-q", "svc-ent"])).trim().split("\n")).toHaveLength(2);

        versions.serve("default", { version: served });
        expect((await runNow(host)).status).toBe(0);
        await expectRunning(host, served.slice(1));
        expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved" } });
      }),
    );
  }
});

describe("zypper, where a proxy is the only way out", () => {
  const credentials = { user: "fl@et", password: "s3cret:Pa&ss" };
  const dead = "http://10.255.255.1:3128";

  for (const { scheme, rival } of [
    { scheme: "http", rival: "no other" },
    { scheme: "https", rival: "no other" },
    { scheme: "http", rival: "another one in /etc/sysconfig/proxy" },
    { scheme: "https", rival: "another one of the repositories' own" },
  ] as const) {
    test(
      `goes through it by ${scheme}, with ${rival}, and tells nobody the password`,
      behindProxy({ ...zypper, start: startSquid, scheme, credentials }, async (stage) => {
        const { host, proxy, wall, repositories } = stage;
        const url = proxyUrl(scheme, proxy, credentials);
        await setVariables(host, { HTTPS_PROXY: url, HTTP_PROXY: url });
        if (rival.includes("sysconfig"))
          await host.write("/etc/sysconfig/proxy", `PROXY_ENABLED="yes"\nHTTP_PROXY="${dead}"\nHTTPS_PROXY="${dead}"\n`);
        if (rival.includes("own"))
          for (const { sourcesFile } of repositories) await host.mustRun(["sh", "-c", `echo proxy=${dead} >>${sourcesFile}`]);
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");

        const [plain, secure] = repositories;
        const asked = await proxy.requests();
        expect(asked).toContain(`GET ${plain.url}/repodata/repomd.xml`);
        expect(asked).toContain(`CONNECT ${new URL(secure.url).host}`);
        expect((await wall.counted()).elsewhere).toBe(0);
        const secret = /s3cret|Pa(?:&|%26)ss/;
        expect(await host.mustRun(["journalctl", "--no-pager", "--output=verbose"])).not.toMatch(secret);
        expect(await host.mustRun(["cat", "/var/log/zypper.log", "/var/log/zypp/history"])).not.toMatch(secret);
        expect(await host.mustRun(["ls", "/run/svc-upgrade"])).not.toContain("zypper-");
      }),
    );
  }
});
