import { describe, expect, test } from "vitest";
import { rpmSuites, type Suite } from "./lab/base.ts";
import { installAgent } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import { buildPackage } from "./lab/package.ts";
import type { PackageRecipe } from "./lab/package-recipe.ts";
import { installPackage, refreshLists } from "./lab/package-tools.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { kept, keptFile, manage, type Managing, type Members } from "./manage.ts";
import { agent, expectWhole, fault } from "./managed-host.ts";
import { holdPackage } from "./moves.ts";
import { withSources } from "./sources.ts";

/** What hosts with dnf or zypper do with an agent whose package and others are locked to one version. */

const bin = "svc-ent-bin";
const data = "svc-ent-data";
const companions: readonly string[] = [bin, data];

type More = Readonly<Record<string, Partial<PackageRecipe>>>;

/** The agent of a version and its companions; and what else there is of each. */
async function buildTrio(host: Host, version: string, more: More = {}): Promise<readonly string[]> {
  const depends = companions.map((name) => `${name} (= ${version})`);
  const companion = (name: string): Promise<string> => {
    const files = { [`/usr/share/${name}/version`]: { content: `${version}\n` } };
    return buildPackage(host, { name, version, files, ...more[name] });
  };
  const extra = (more["svc-ent"]?.depends ?? []).concat(depends);
  return Promise.all([agent(host, version, { depends: extra }), ...companions.map(companion)]);
}

const set = (version: string, added: Members = {}): Members => ({
  "svc-ent": `${version}-1`,
  [bin]: `${version}-1`,
  [data]: `${version}-1`,
  ...added,
});

const v5 = set("15.4.5");
const v6 = set("15.4.6");

/** The trio at 15.4.5, and 15.4.6 in the repository. */
async function hostWithTrio({ host, repository }: Stage, next: More = {}): Promise<Managing> {
  await repository.publish(...(await buildTrio(host, "15.4.5")), ...(await buildTrio(host, "15.4.6", next)));
  await installAgent(host, "15.4.5");
  return manage(host);
}

async function keep(managing: Managing, members: Members, is: "installed" | "offered"): Promise<void> {
  for (const [name, version] of Object.entries(members)) {
    expect(await managing.fetch(version, is, name)).toEqual({ answer: keptFile(version, name) });
  }
}

/** Every instance of them, in the order of their names. */
async function instances(host: Host): Promise<readonly string[]> {
  const { stdout } = await host.enter(["rpm", "-qa", "svc-ent*", "--qf", "%{NAME} %{VERSION}\\n"]);
  return stdout.trim().split("\n").toSorted();
}

async function expectTrio(host: Host, version: string): Promise<void> {
  const found = (await instances(host)).filter((line) => !line.startsWith("svc-ent-new"));
  expect(found).toEqual(["svc-ent", ...companions].map((name) => `${name} ${version}`));
  await expectWhole(host, `${version}-1`);
  expect(await host.mustRun(["rpm", "-V", "--nomtime", ...companions])).toBe("");
  expect((await host.run(["systemctl", "is-active", "svc.service"])).stdout.trim()).toBe("active");
}

/** Two versions in the database, the one that is named last written last, as a power cut leaves them. */
async function leaveTwo(host: Host, name: string, versions: readonly string[]): Promise<void> {
  await host.mustRun(["rpm", "-e", "--justdb", "--nodeps", "--noscripts", name]);
  for (const version of versions) {
    const file = `${kept}/${keptFile(version, name)}`;
    await host.mustRun(["rpm", "-i", "--justdb", "--nodeps", "--noscripts", "--force", file]);
  }
}

const done = {};

describe.each(rpmSuites)("packages that are locked to the agent's version, on a host of %s", (suite: Suite) => {
  test(
    "go up and down together by repository, with a package that is locked to the agent; and back from files with no network",
    scenario(withSources({ suite }), async (stage) => {
      const { host, repository } = stage;
      const managing = await hostWithTrio(stage);
      for (const version of ["15.4.5", "15.4.6"]) {
        await repository.publish(
          await buildPackage(host, { name: "svc-ent-plugin", version, depends: [`svc-ent (= ${version}-1)`] }),
        );
      }
      await refreshLists(host);
      await installPackage(host, "svc-ent-plugin", "15.4.5");
      const planned = expect.arrayContaining(
        ["svc-ent", ...companions, "svc-ent-plugin"].map(
          (name) => expect.objectContaining({ name, version: "15.4.6-1" }) as unknown,
        ),
      ) as unknown;
      expect(await managing.simulate("15.4.6-1")).toEqual({ answer: planned });
      expect(await managing.install("15.4.6-1")).toEqual(done);
      const plugin = async (): Promise<string> =>
        (await host.mustRun(["rpm", "-q", "--qf", "%{VERSION}", "svc-ent-plugin"])).trim();
      expect(await plugin()).toBe("15.4.6");
      expect(await managing.install("15.4.5-1", { direction: "down" })).toEqual(done);
      expect(await plugin()).toBe("15.4.5");
      await host.mustRun(["rpm", "-e", "svc-ent-plugin"]);
      await expectTrio(host, "15.4.5");

      await keep(managing, v5, "installed");
      await keep(managing, v6, "offered");
      await host.network.cable("out");
      expect(await managing.objectionToBack({ after: v6, before: v5 })).toEqual(done);
      expect(await host.mustRun(["ls", "/var/lib/svc-upgrade"])).toBe("packages\n");
      await expectTrio(host, "15.4.5");
      for (const [version, members] of [
        ["15.4.6", v6],
        ["15.4.5", v5],
        ["15.4.5", v5],
      ] as const) {
        expect(await managing.installFiles(members)).toEqual(done);
        await expectTrio(host, version);
      }
      expect(await managing.installFile("15.4.6-1")).toEqual(
        fault("plan-refused", `${bin} = 15.4.6 is needed by svc-ent-15.4.6-1`),
      );
      await expectTrio(host, "15.4.5");
    }),
  );

  test(
    "have no rollback where rpm would refuse it, which is said beforehand and holds afterwards",
    scenario(withSources({ suite }), async (stage) => {
      const { host, repository } = stage;
      const added = { "svc-ent-new": "1-1" };
      const managing = await hostWithTrio(stage, { [bin]: { depends: ["svc-ent-new"] } });
      const shared = { "/usr/share/svc-ent-bin/version": { content: "another\n" } };
      const strangers: readonly (readonly [string, Partial<PackageRecipe>])[] = [
        ["svc-ent < 15.4.6 conflicts with", { conflicts: ["svc-ent (<< 15.4.6)"] }],
        ["file /usr/share/svc-ent-bin/version", { files: shared }],
      ];
      await keep(managing, v5, "installed");
      for (const [at, [says, stranger]] of strangers.entries()) {
        const version = `${at + 1}`;
        const next = `15.5.${at}`;
        await repository.publish(
          await buildPackage(host, { name: "svc-ent-new", version, ...stranger }),
          ...(await buildTrio(host, next, { [bin]: { depends: [`svc-ent-new (= ${version})`], files: {} } })),
        );
        await refreshLists(host);
        const after = set(next, { ...added, "svc-ent-new": `${version}-1` });
        await keep(managing, after, "offered");
        const { answer } = await managing.objectionToBack({ after, before: v5 });
        expect(answer).toContain("rpm would refuse it");
        expect(answer).toContain(says);
        await expectTrio(host, "15.4.5");
        expect(await managing.install(`${next}-1`)).toEqual(done);
        await expectTrio(host, next);
        expect(await managing.installFiles(v5)).toEqual(fault("plan-refused", says));
        await expectTrio(host, next);
        await host.mustRun(["rpm", "-e", "--nodeps", "svc-ent-new"]);
        expect(await managing.installFiles(v5)).toEqual(done);
        await expectTrio(host, "15.4.5");
      }
    }),
  );

  test(
    "stay where an admin holds one of them, and move where it is there already",
    scenario(withSources({ suite }), async (stage) => {
      const { host } = stage;
      const managing = await hostWithTrio(stage);
      await keep(managing, v5, "installed");
      await keep(managing, v6, "offered");
      await holdPackage(host, data);
      for (const hold of ["none", "lifted"] as const) {
        expect(await managing.install("15.4.6-1", { hold })).toEqual({
          fault: expect.objectContaining({ code: "plan-refused" }) as unknown,
        });
        expect(await managing.installFiles(v6, { hold })).toEqual(fault("plan-refused", `lock of ${data}`));
        await expectTrio(host, "15.4.5");
      }
      expect(await managing.installFiles(v5)).toEqual(done);
      await expectTrio(host, "15.4.5");
    }),
  );

  test(
    "that a power cut has left in two versions end in one, from files and by repository",
    scenario(withSources({ suite }), async (stage) => {
      const { host, repository } = stage;
      await repository.publish(...(await buildTrio(host, "15.4.4")));
      const managing = await hostWithTrio(stage);
      await keep(managing, v5, "installed");
      await keep(managing, v6, "offered");
      await keep(managing, { [bin]: "15.4.4-1" }, "offered");
      for (const [versions, to] of [
        [["15.4.5-1", "15.4.6-1"], v5],
        [["15.4.6-1", "15.4.5-1"], v6],
      ] as const) {
        await leaveTwo(host, bin, versions);
        const found = await managing.inspectAll([data, bin]);
        expect(found.answer).toEqual([
          expect.objectContaining({ condition: "whole" }),
          expect.objectContaining({ condition: "half-way", packageVersion: versions[1] }),
        ]);
        expect(await managing.mend(Object.keys(to))).toEqual(done);
        expect(await managing.installFiles(to)).toEqual(done);
        await expectTrio(host, to["svc-ent"]!.replace("-1", ""));
      }
      expect(await managing.installFiles(v5)).toEqual(done);
      await leaveTwo(host, bin, ["15.4.4-1", "15.4.5-1"]);
      expect(await managing.install("15.4.6-1")).toEqual(done);
      await expectTrio(host, "15.4.6");
    }),
  );

  test(
    "end in one version after a real power cut, forth and back",
    scenario(withSources({ suite }), async (stage) => {
      const { host } = stage;
      const managing = await hostWithTrio(stage, { [data]: { scripts: { postinst: "sleep 4\n" } } });
      await keep(managing, v5, "installed");
      await keep(managing, v6, "offered");
      await host.network.cable("out");
      for (const [version, members] of [
        ["15.4.6", v6],
        ["15.4.5", v5],
      ] as const) {
        await managing.installFiles(v5);
        await managing.beginInstallFiles(v6);
        await until("both versions are in the database", 60_000, async () =>
          (await instances(host)).filter((line) => line.startsWith(data)).length === 2 ? true : undefined,
        );
        await host.powerCut();
        await host.boot();
        expect(await managing.mend(Object.keys(members))).toEqual(done);
        expect(await managing.installFiles(members)).toEqual(done);
        await expectTrio(host, version);
      }
    }),
  );
});
