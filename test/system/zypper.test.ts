import { describe, expect, test } from "vitest";
import { behindProxy, proxyUrl, setVariables } from "./behind-proxy.ts";
import { buildAgent } from "./lab/agent.ts";
import { startSquid } from "./lab/proxy.ts";
import { scenario } from "./lab/scenario.ts";
import { expectRunning, holdPackage, lastPass, tellHolds } from "./moves.ts";
import { configure, outdatedHost, runNow, schedule, tick, withUpdater } from "./updater.ts";

/** What only zypper has; what it does as the others do stands in the table. */

const zypper = withUpdater({ suite: "zypper" });

describe("zypper, in a pass", () => {
  test(
    "works below another root as it does on the machine",
    scenario(zypper, async ({ host, repository, versions }) => {
      const root = "/srv/image";
      await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
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
    "respects a hold of many packages, overrides it where the settings say so, and leaves it as it is",
    scenario(zypper, async (stage) => {
      const { host } = stage;
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
});

describe("zypper, where a proxy is the only way out", () => {
  const credentials = { user: "fl@et", password: "s3cret:Pa&ss" };
  const dead = "http://10.255.255.1:3128";

  test(
    "goes through it whatever the repositories name as their own, and tells nobody the password",
    behindProxy({ suite: "zypper", start: startSquid, scheme: "https", credentials }, async (stage) => {
      const { host, proxy, wall, repositories } = stage;
      const url = proxyUrl("https", proxy, credentials);
      await setVariables(host, { HTTPS_PROXY: url, HTTP_PROXY: url });
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
});
