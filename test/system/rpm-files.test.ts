import { describe, expect, test } from "vitest";
import type { AgentOptions } from "./lab/agent.ts";
import { rpmSuites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { buildPackage } from "./lab/package.ts";
import { installedPackage, installPackage, refreshLists, removePackage } from "./lab/package-tools.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { kept, keptFile, type Managing } from "./manage.ts";
import { agent, conf, expectWhole, fault, managedHost, rows, v5, v6, v7 } from "./managed-host.ts";
import { holdPackage, tellHolds } from "./moves.ts";
import { withSources } from "./sources.ts";

/** What hosts with dnf or zypper do with the files of packages that they have kept, when no repository can be reached. */

/** Both versions are kept, and one more; and nothing can be reached any more. */
async function cutOffHost(stage: Stage, third: Partial<AgentOptions> = {}): Promise<Managing> {
  const { host, repository } = stage;
  const managing = await managedHost(stage);
  await repository.publish(await agent(host, "15.4.7", third));
  await refreshLists(host);
  expect(await managing.fetch(v5, "installed")).toEqual({ answer: keptFile(v5) });
  for (const version of [v6, v7]) expect(await managing.fetch(version, "offered")).toEqual({ answer: keptFile(version) });
  await host.network.cable("out");
  return managing;
}

/** Keeps rpm's own lock, as a plain rpm does that is at work. */
async function holdRpmLock(host: Host, seconds: number): Promise<void> {
  const script = `use Fcntl; open my $f, "+>>", "/var/lib/rpm/.rpm.lock"; my $lock = pack "s s x4 q q l", F_WRLCK, 0, 0, 0, 0;
    fcntl $f, F_SETLK, $lock or die; open my $held, ">", "/run/held"; sleep ${seconds}`;
  await host.mustRun(["rm", "-f", "/run/held"]);
  await host.mustRun(["systemd-run", "--unit=holder", "--collect", "--quiet", "perl", "-e", script]);
  await until("the lock is held", 10_000, async () =>
    (await host.enter(["test", "-e", "/run/held"])).status === 0 ? true : undefined,
  );
}

describe.each(rpmSuites)("a kept file on a host of %s that reaches no repository", (suite) => {
  test(
    "takes the agent down, up and to the very same once more, past a lock only where that is lifted",
    scenario(withSources({ suite }), async (stage) => {
      const { host } = stage;
      const managing = await cutOffHost(stage);
      for (const version of [v6, v5, v5, v7, v5]) {
        expect(await managing.installFile(version)).toEqual({});
        await expectWhole(host, version);
        expect(await host.read(conf)).toBe(`${version.replace(/-1$/, "")}\n`);
      }
      await host.write(conf, "edited\n");
      await holdPackage(host, "svc-ent");
      const held = await tellHolds(host);
      expect(await managing.installFile(v6)).toEqual(fault("plan-refused", "would go past the"));
      expect(await rows(host)).toEqual([v5]);
      expect(await managing.installFile(v6, { hold: "lifted" })).toEqual({});
      expect(await rows(host)).toEqual([v6]);
      expect(await host.read(conf)).toBe("edited\n");
      expect(await host.read(`${conf}.rpmnew`)).toBe("15.4.6\n");
      expect(await tellHolds(host)).toBe(held.replace("15.4.5", "15.4.6"));
    }),
  );

  test(
    "does nothing where it would cost another package or is not whole, and says which script failed",
    scenario(withSources({ suite }), async (stage) => {
      const { host, repository } = stage;
      const managing = await managedHost(stage);
      await repository.publish(await buildPackage(host, { name: "companion", version: "1.0", depends: ["svc-ent (<< 15.4.6)"] }));
      await repository.publish(
        await agent(host, "15.4.7", { scripts: "failing" }),
        await agent(host, "15.4.8", { scripts: "refusing" }),
      );
      await refreshLists(host);
      for (const version of [v6, v7, "15.4.8-1"]) expect(await managing.fetch(version, "offered")).toHaveProperty("answer");
      await installPackage(host, "companion", "1.0");
      await host.network.cable("out");
      expect(await managing.installFile(v6)).toEqual(fault("plan-refused", "needed by (installed) companion-1.0-1"));
      expect(await installedPackage(host, "companion")).toBe("1.0-1");
      await removePackage(host, "companion");
      await expectWhole(host, v5);

      expect(await managing.installFile("15.4.8-1")).toEqual(fault("install-failed", "%prein(svc-ent-15.4.8-1"));
      await expectWhole(host, v5);
      expect(await managing.installFile(v7)).toEqual(fault("install-failed", "%post(svc-ent-15.4.7-1"));
      await expectWhole(host, v7);
      await host.mustRun(["truncate", "--size=100000", `${kept}/${keptFile(v6)}`]);
      expect(await managing.installFile(v6)).toEqual(fault("file-failed", "does not verify"));
      await expectWhole(host, v7);
    }),
  );

  test(
    "waits for a plain rpm that is at work; for one that does not end only so long, and says who it is",
    scenario(withSources({ suite }), async (stage) => {
      const { host } = stage;
      const managing = await cutOffHost(stage);
      await holdRpmLock(host, 5);
      expect(await managing.installFile(v6)).toEqual({});
      await expectWhole(host, v6);
      // One wait of a minute is enough: below them both, it is the same rpm.
      if (suite !== "yum") return;
      await holdRpmLock(host, 1000);
      expect(await managing.installFile(v5)).toEqual(fault("manager-busy", "(perl)"));
      await expectWhole(host, v6);
      await host.mustRun(["systemctl", "stop", "holder"]);
      expect(await managing.installFile(v5)).toEqual({});
      await expectWhole(host, v5);
    }),
  );

  // Below zypper and dnf it is the same rpm: each way with one of them.
  for (const { title, on, from, back } of [
    { title: "on the way forth", on: "yum", from: v5, back: v5 },
    { title: "on the rollback", on: "zypper", from: "15.4.8-1", back: "15.4.8-1" },
  ] as const) {
    if (suite !== on) continue;
    test(
      `after a power cut ${title} ends in one version, whichever of the two is chosen`,
      scenario(withSources({ suite }), async (stage) => {
        const { host, repository } = stage;
        await repository.publish(await agent(host, "15.4.8"));
        const managing = await cutOffHost(stage, { scripts: "slow" });
        for (const to of [v7, back]) {
          await host.network.cable("in");
          await managing.fetch("15.4.8-1", "offered");
          await host.network.cable("out");
          expect(await managing.installFile(from)).toEqual({});
          await managing.beginInstallFile(v7);
          await until("both versions are in the database", 60_000, async () =>
            (await rows(host)).length === 2 ? true : undefined,
          );
          await host.powerCut();
          await host.boot();
          expect(await rows(host)).toHaveLength(2);
          const halfWay = { kind: "present", packageVersion: v7, condition: "half-way" };
          expect(await managing.inspect()).toEqual({ answer: expect.objectContaining(halfWay) as unknown });
          expect(await managing.mend()).toEqual({});
          // Its last script did not finish, and only an installation runs that.
          expect(await managing.inspect()).toEqual({ answer: expect.objectContaining(halfWay) as unknown });
          expect(await managing.installFile(to)).toEqual({});
          await expectWhole(host, to);
          expect(await host.read(conf)).toBe(`${to.replace(/-1$/, "")}\n`);
        }
      }),
    );
  }
});

describe.each(rpmSuites)("rpm's database on a host of %s", (suite) => {
  test(
    "is left alone while it is whole; its indexes are made again where it cannot be read; what is lost stays lost, and is said",
    scenario(withSources({ suite }), async (stage) => {
      const { host } = stage;
      const managing = await managedHost(stage);
      await host.network.cable("out");
      await host.mustRun(["systemctl", "mask", "--runtime", "svc-upgrade-transaction.service"]);
      expect(await managing.mend()).toEqual({});
      await host.mustRun(["systemctl", "unmask", "--runtime", "svc-upgrade-transaction.service"]);

      const database = "/var/lib/rpm/rpmdb.sqlite";
      const before = await host.mustRun(["rpm", "-qa"]);
      // rpm puts a new directory in the place of the old one, which an overlay allows only where the old one is not of its base.
      await host.mustRun(["sh", "-c", "cd /var/lib && cp -a rpm copy && rm -rf rpm && mv copy rpm"]);
      const drop = `new (require("node:sqlite").DatabaseSync)("${database}").exec("DROP TABLE Name")`;
      await host.mustRun(["/opt/node", "-e", drop]);
      expect((await host.run(["rpm", "-q", "svc-ent"])).status).toBe(1);
      expect(await managing.inspect()).toEqual(fault("database-broken", "cannot read its database"));
      expect(await managing.mend()).toEqual({});
      expect((await host.mustRun(["rpm", "-qa"])).split("\n").toSorted()).toEqual(before.split("\n").toSorted());
      await expectWhole(host, v5);

      await host.mustRun(["cp", database, "/root/whole"]);
      await host.mustRun(["sh", "-c", `rm -f ${database}-*; head -c 4096 /dev/zero | dd of=${database} conv=notrunc`]);
      expect(await managing.mend()).toEqual(fault("database-broken", "nor rebuild its indexes"));
      await host.mustRun(["sh", "-c", `cp /root/whole ${database}; rm -f ${database}-*`]);
      await expectWhole(host, v5);
    }),
  );
});
