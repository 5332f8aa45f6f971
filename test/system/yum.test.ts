import { describe, expect, test } from "vitest";
import { behindProxy, proxyUrl, setVariables } from "./behind-proxy.ts";
import { buildAgent, installAgent } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import { buildPackage } from "./lab/package.ts";
import { installedPackage, installPackage, refreshLists } from "./lab/package-tools.ts";
import { startSquid } from "./lab/proxy.ts";
import { serveRepository } from "./lab/repository.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning, holdPackage, lastPass, tellHolds } from "./moves.ts";
import { configure, installUpdater, outdatedHost, schedule, tick } from "./updater.ts";

const yum = { suite: "yum" } as const;

/** Unless the settings say so, an older version that is served is no reason to move. */
async function allowDowngrades(host: Host): Promise<void> {
  await configure(host, "downgrade: allow\n", "60-downgrade");
}

describe("dnf, in a pass", () => {
  test(
    "upgrades the agent in its window, and goes back when it is asked to",
    scenario(yum, async (stage) => {
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
    scenario(yum, async (stage) => {
      const { host, versions } = stage;
      await outdatedHost(stage);
      await installPackage(host, "svc-ent", "15.4.6");
      await host.mustRun(["systemctl", "restart", "svc.service"]);
      await allowDowngrades(host);
      versions.serve("default", { version: "v15.4.5" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).stdout).toBe("downgraded (15.4.6 -> 15.4.5)\n");
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "takes of several packages of the version the one that dnf would take: by the repository's priority, then the higher",
    scenario(yum, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      const agent = (packageVersion: string): Promise<string> => buildAgent(host, { version: "15.4.6", packageVersion });
      await repository.publish(await agent("15.4.6-2.el9"), await agent("15.4.6-10.el9"));
      await repository.publish(await buildAgent(host, { version: "15.5.0" }), await buildAgent(host, { version: "15.4.6-rc.1" }));
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.6", "15.4.6-10.el9");

      await allowDowngrades(host);
      versions.serve("default", { version: "v15.4.6-rc.1" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.6-rc.1", "15.4.6~rc.1-1");

      const preferred = await serveRepository(host, "preferred", { priority: 10 });
      await preferred.publish(await agent("15.4.6-3.el9"));
      await refreshLists(host);
      versions.serve("default", { version: "v15.4.6" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.6", "15.4.6-3.el9");
    }),
  );

  test(
    "follows an epoch over its border and back",
    scenario(yum, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7", packageVersion: "5:15.4.7-1" }));
      await repository.publish(await buildAgent(host, { version: "15.4.6", packageVersion: "5:15.4.6-1" }));
      versions.serve("default", { version: "v15.4.7" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.7", "5:15.4.7-1");
      await allowDowngrades(host);
      versions.serve("default", { version: "v15.4.5" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "reads the same on a host that speaks German",
    scenario(yum, async (stage) => {
      const { host, versions } = stage;
      await host.write("/etc/locale.conf", "LANG=de_DE.UTF-8\nLANGUAGE=de\n");
      await host.mustRun(["systemctl", "set-environment", "LANG=de_DE.UTF-8", "LANGUAGE=de", "LC_ALL=de_DE.UTF-8"]);
      await outdatedHost(stage);
      const speaks = await host.run(["dnf", "install", "no-such-package"], { env: { LANG: "de_DE.UTF-8", LANGUAGE: "de" } });
      expect(`${speaks.stdout}${speaks.stderr}`).toContain("Keine Übereinstimmung");
      versions.serve("default", { version: "v15.9.9" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(75);
      expect((await lastPass(host)).outcome.fault?.code).toBe("not-offered");
      versions.serve("default", { version: "v15.4.6" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );
});

describe("dnf, where a repository is in trouble", () => {
  test(
    "upgrades beside a foreign one that is dead",
    scenario(yum, async (stage) => {
      const { host } = stage;
      const foreign = await serveRepository(host, "foreign");
      await outdatedHost(stage);
      await foreign.server.goDown();
      await host.write(
        "/etc/yum.repos.d/never.repo",
        "[never]\nname=Never there\nbaseurl=http://127.0.0.1:9/never\nenabled=1\ngpgcheck=1\n",
      );
      await host.mustRun(["rm", "-rf", "/var/cache/dnf"]);
      expect((await host.run(["yum", "list", "svc-ent"])).status).toBe(1);
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );

  test(
    "says that the version is nowhere, with what there is; and that its own repository is down",
    scenario(yum, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      versions.serve("default", { version: "v15.9.9" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(75);
      expect((await lastPass(host)).outcome).toMatchObject({
        step: "offer",
        fault: { code: "not-offered", message: expect.stringContaining("they offer 15.4.6-1, 15.4.5-1") as string },
      });
      await repository.server.goDown();
      versions.serve("default", { version: "v15.4.6" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(75);
      expect((await lastPass(host)).outcome).toMatchObject({ step: "refresh", fault: { code: "refresh-failed" } });
      await expectRunning(host, "15.4.5");
    }),
  );

  for (const signature of ["missing", "unknown-key", "altered"] as const) {
    test(
      `installs nothing whose lists are signed so: ${signature}`,
      scenario(yum, async (stage) => {
        const { host, repository } = stage;
        await outdatedHost(stage);
        await repository.sign(signature);
        expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(75);
        expect((await lastPass(host)).outcome).toMatchObject({ step: "refresh", fault: { code: "refresh-failed" } });
        await expectRunning(host, "15.4.5");
      }),
    );
  }

  test(
    "installs no package that is unsigned, or of an unknown key, or altered, and imports no key",
    scenario(yum, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      const keys = (): Promise<string> => host.mustRun(["rpm", "-qa", "gpg-pubkey"]);
      const before = await keys();
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
        expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(status);
        expect((await lastPass(host)).outcome).toMatchObject({ step: "install", fault: { code } });
      }
      expect(await keys()).toBe(before);
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "trusts no key that a repository brings along and nobody has imported",
    scenario(yum, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7" }));
      versions.serve("default", { version: "v15.4.7" });
      await host.mustRun(["sh", "-c", "rpm -e --force-debian --allmatches gpg-pubkey"]);
      await host.mustRun(["rm", "-rf", "/var/cache/dnf"]);
      await host.mustRun(["sed", "-i", "s/^repo_gpgcheck=1/repo_gpgcheck=0/", repository.sourcesFile]);
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(69);
      const { fault } = (await lastPass(host)).outcome;
      expect(fault).toMatchObject({ code: "package-untrusted", hint: expect.stringContaining("rpm --import") as string });
      expect((await host.run(["rpm", "-q", "gpg-pubkey"])).status).toBe(1);
      await expectRunning(host, "15.4.5");
    }),
  );
});

describe("dnf, where something is in the way", () => {
  test(
    "respects a hold; overrides it where the settings say so, and puts it back on what is there then",
    scenario(yum, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      await holdPackage(host, "svc-ent");
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "package-held" } });
      await expectRunning(host, "15.4.5");

      await configure(host, "holds: override\n", "60-holds");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
      expect(await tellHolds(host)).toBe("svc-ent-0:15.4.6-1.*\n");
      expect((await host.run(["svc-upgrade", "rollback"])).status).toBe(0);
      expect(await tellHolds(host)).toBe("svc-ent-0:15.4.5-1.*\n");
    }),
  );

  test(
    "keeps the hold when the installation fails",
    scenario(yum, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await holdPackage(host, "svc-ent");
      await configure(host, "holds: override\n", "60-holds");
      await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "refusing" }));
      versions.serve("default", { version: "v15.4.7" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(11);
      expect(await tellHolds(host)).toBe("svc-ent-0:15.4.5-1.*\n");
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "refuses what would remove another package, and names it",
    scenario(yum, async (stage) => {
      const { host, repository } = stage;
      await outdatedHost(stage);
      const companion = { name: "companion", version: "1.0", depends: ["svc-ent (<< 15.4.6)"] };
      await repository.publish(await buildPackage(host, companion));
      await refreshLists(host);
      await installPackage(host, "companion", "1.0");
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(69);
      expect((await lastPass(host)).outcome).toMatchObject({
        step: "simulate",
        fault: { code: "plan-refused", message: "installing svc-ent 15.4.6-1 would remove companion" },
      });
      expect(await installedPackage(host, "companion")).toBe("1.0-1");
      await expectRunning(host, "15.4.5");
    }),
  );

  test(
    "waits for a lock and then leaves it to the next pass, with the holder's name",
    scenario(yum, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await host.mustRun([
        "systemd-run",
        "--unit=holder",
        "--quiet",
        "sh",
        "-c",
        `
        sleep 1000 & echo -n $! >/var/cache/dnf/metadata_lock.pid; wait`,
      ]);
      const { status } = await host.run(["svc-upgrade", "run", "--now"], { timeoutMs: 180_000 });
      expect(status).toBe(75);
      expect((await lastPass(host)).outcome).toMatchObject({
        step: "refresh",
        fault: { code: "manager-busy", message: expect.stringMatching(/held by process \d+ \(sleep\)/) as string },
      });
      await host.mustRun(["systemctl", "stop", "holder"]);
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );

  test(
    "says that the disk is full, and leaves the agent as it is",
    scenario({ ...yum, diskMegabytes: 400 }, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await host.run(["sh", "-c", "dd if=/dev/zero of=/root/full bs=64k; dd if=/dev/zero of=/root/fuller bs=1k"]);
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).not.toBe(0);
      await host.mustRun(["rm", "/root/full", "/root/fuller"]);
      await expectRunning(host, "15.4.5");
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.6");
    }),
  );
});

describe("dnf, where a package does not come whole", () => {
  test(
    "sees a script fail behind an exit status of success",
    scenario(yum, async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "failing" }));
      versions.serve("default", { version: "v15.4.7" });
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(11);
      expect((await lastPass(host)).outcome).toMatchObject({
        step: "install",
        fault: { code: "install-failed", message: expect.stringContaining("%post(svc-ent-15.4.7-1") as string },
      });
      // rpm has put it in place all the same.
      expect(await installedPackage(host, "svc-ent")).toBe("15.4.7-1");
      expect((await host.run(["systemctl", "is-active", "svc.service"])).stdout.trim()).toBe("active");
    }),
  );

  test(
    "leaves an edited configuration file alone and asks nothing",
    scenario(yum, async (stage) => {
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
      expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
      await expectRunning(host, "15.4.6");
      expect(await host.read("/etc/svc.conf")).toBe("edited\n");
      expect(await host.read("/etc/svc.conf.rpmnew")).toBe("new\n");
    }),
  );

  for (const [title, served] of [
    ["forward", "v15.4.7"],
    ["to the version before", "v15.4.5"],
  ] as const) {
    test(
      `mends what a power cut in the middle of a transaction left, ${title}`,
      scenario(yum, async (stage) => {
        const { host, repository, versions } = stage;
        await outdatedHost(stage);
        await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "slow" }));
        versions.serve("default", { version: "v15.4.7" });
        const passing = host.run(["svc-upgrade", "run", "--now"]).catch(() => undefined);
        await until("both versions are in the database", 60_000, async () => {
          const { stdout } = await host.enter(["rpm", "-q", "svc-ent"]);
          return stdout.trim().split("\n").length === 2 ? true : undefined;
        });
        await host.powerCut();
        await passing;
        await host.boot();
        expect((await host.mustRun(["rpm", "-q", "svc-ent"])).trim().split("\n")).toHaveLength(2);

        await allowDowngrades(host);
        versions.serve("default", { version: served });
        expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
        await expectRunning(host, served.slice(1));
        expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved" } });
        expect(await host.mustRun(["yum", "-q", "check"])).toBe("");
      }),
    );
  }
});

describe("dnf, behind a proxy with a password", () => {
  const credentials = { user: "fleet", password: "s3cret-Pass" };

  test(
    "reaches its repositories by the route of every other hop, and shows the password nowhere",
    behindProxy({ ...yum, start: startSquid, scheme: "http", credentials }, async (stage) => {
      const { host, proxy, repositories, wall } = stage;
      const url = proxyUrl("http", proxy, credentials);
      await setVariables(host, { HTTPS_PROXY: url, HTTP_PROXY: url });
      // What an admin once set for dnf alone would win over any variable.
      await host.mustRun(["sh", "-c", "echo proxy=http://127.0.0.1:9 >>/etc/dnf/dnf.conf"]);
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
      const asked = await proxy.requests();
      const [plain, secure] = repositories;
      expect(asked).toContain(`GET ${plain.url}/repodata/repomd.xml`);
      expect(asked).toContain(`CONNECT ${new URL(secure.url).host}`);
      expect((await wall.counted()).elsewhere).toBe(0);

      await host.mustRun(["sh", "-c", "journalctl --sync; journalctl --output=export --all >/root/journal.txt"]);
      const folders = ["/etc", "/var", "/run", "/root", "/tmp"];
      const { stdout } = await host.enter(["grep", "-r", "-l", "-a", "-F", "--devices=skip", credentials.password, ...folders]);
      expect(stdout).toBe("/etc/default/svc\n");
    }),
  );
});

describe("dnf below another root", () => {
  test(
    "installs there, by that root's repositories and keys, and touches nothing of this machine",
    scenario(yum, async ({ host, repository, versions }) => {
      await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
      versions.serve("default", { version: "v15.4.6" });
      await installUpdater(host);
      const root = "/srv/other";
      await host.mustRun(["mkdir", "-p", `${root}/etc/svc-upgrade`, `${root}/etc/yum.repos.d`, `${root}/var/lib/svc-upgrade`]);
      await host.mustRun(["mv", repository.sourcesFile, `${root}/etc/yum.repos.d/`]);
      await host.write(`${root}/etc/svc-upgrade/50.yaml`, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`);
      await host.mustRun(["rpm", "--root", root, "--initdb"]);
      await host.mustRun(["sh", "-c", `for key in /etc/pki/rpm-gpg/*; do rpm --root ${root} --import $key; done`]);
      const before = await host.mustRun(["rpm", "-qa"]);

      const run = await host.run(["svc-upgrade", "run", "--now", "--install", "--root", root]);
      expect([run.status, run.stdout]).toEqual([0, "installed (15.4.6)\n"]);
      expect(await host.mustRun(["rpm", "--root", root, "-q", "--qf", "%{VERSION}", "svc-ent"])).toBe("15.4.6");
      expect((await host.run(["test", "-x", `${root}/usr/bin/svc`])).status).toBe(0);
      expect(await host.mustRun(["rpm", "-qa"])).toBe(before);
      expect((await host.run(["test", "-e", "/usr/bin/svc"])).status).toBe(1);
    }),
  );
});
