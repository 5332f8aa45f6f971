import { describe, expect, test } from "vitest";
import { buildAgent } from "./lab/agent.ts";
import { scenario } from "./lab/scenario.ts";
import { expectRunning, lastPass } from "./moves.ts";
import { outdatedHost, withUpdater } from "./updater.ts";

/** What only dnf has; what it does as the others do stands in the table. */

const yum = withUpdater({ suite: "yum" });

describe("dnf, where a repository is in trouble", () => {
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

describe("dnf below another root", () => {
  test(
    "installs there, by that root's repositories and keys, and touches nothing of this machine",
    scenario(yum, async ({ host, repository, versions }) => {
      await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
      versions.serve("default", { version: "v15.4.6" });
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
