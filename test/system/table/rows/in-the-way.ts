import { expect } from "vitest";
import { buildAgent } from "../../lab/agent.ts";
import { buildPackage, packageVersion } from "../../lab/package.ts";
import type { PackageRecipe } from "../../lab/package-recipe.ts";
import { installedPackage, installPackage, refreshLists, removePackage } from "../../lab/package-tools.ts";
import { expectRunning, holdPackage, lastPass, tellHolds } from "../../moves.ts";
import { configure, runNow, schedule, tick } from "../../updater.ts";
import type { Chapter } from "../row.ts";
import { begin, openScene, type Scene } from "../scene.ts";

export const inTheWay: Chapter<Scene> = {
  title: "meets what is in the way",
  open: openScene,
  begin,
  rows: [
    {
      title: "respects a hold of the package, overrides it where the settings say so, and puts it back",
      play: async ({ host, repository, versions, manners }) => {
        await schedule(host, "open");
        await holdPackage(host, "svc-ent");
        expect(await tick(host)).toBe(0);
        expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "package-held" } });
        await expectRunning(host, "15.4.5");

        await configure(host, "holds: override\n", "60-holds");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
        expect(await tellHolds(host)).toMatch(manners.heldAt(packageVersion(host, "15.4.6")));

        // A failure puts it back as well.
        await repository.publish(await buildAgent(host, { version: "15.6.1", scripts: "refusing" }));
        versions.serve("default", { version: "v15.6.1" });
        expect((await runNow(host)).status).toBe(11);
        expect(await tellHolds(host)).toMatch(manners.heldAt(packageVersion(host, "15.4.6")));
        await manners.unhold(host);
      },
    },
    {
      title: "refuses what would remove another package, and names it",
      play: async ({ host, repository, manners }) => {
        const companion = { name: "companion", version: "1.0", depends: ["svc-ent (<< 15.4.6)"] };
        await repository.publish(await buildPackage(host, companion));
        await refreshLists(host);
        await installPackage(host, "companion", "1.0");
        expect((await runNow(host)).status).toBe(69);
        expect((await lastPass(host)).outcome).toMatchObject({
          step: "simulate",
          fault: { code: "plan-refused", message: expect.stringContaining(manners.wouldRemove) as string },
        });
        expect(await installedPackage(host, "companion")).toBe(packageVersion(host, "1.0"));
        await expectRunning(host, "15.4.5");
        await removePackage(host, "companion");
      },
    },
    {
      title: "says that the package's first script refuses, and leaves the agent as it is",
      play: async ({ host, repository, versions }) => {
        await repository.publish(await buildAgent(host, { version: "15.6.1", scripts: "refusing" }));
        versions.serve("default", { version: "v15.6.1" });
        expect((await runNow(host)).status).toBe(11);
        expect((await lastPass(host)).outcome).toMatchObject({ step: "install", fault: { code: "install-failed" } });
        await expectRunning(host, "15.4.5");
      },
    },
    {
      title: "goes back from a package whose last script fails, and says how, whatever the manager calls it",
      play: async ({ host, repository, versions, manners }) => {
        await repository.publish(await buildAgent(host, { version: "15.6.2", scripts: "failing" }));
        versions.serve("default", { version: "v15.6.2" });
        expect((await runNow(host)).status).toBe(10);
        expect((await lastPass(host)).outcome).toMatchObject({
          kind: "undone",
          step: "install",
          fault: { code: "install-failed", message: expect.stringMatching(manners.failedScript) as string },
        });
        await expectRunning(host, "15.4.5");
      },
    },
    {
      title: "says which file of which other package is in the way, and leaves the agent as it is",
      play: async ({ host, repository, versions }) => {
        const path = "/usr/share/bystander/file";
        const holding = (content: string): Pick<PackageRecipe, "files"> => ({ files: { [path]: { content } } });
        await repository.publish(
          await buildPackage(host, { name: "bystander", version: "1.0", ...holding("its own\n") }),
          await buildPackage(host, { name: "svc-ent", version: packageVersion(host, "15.6.5"), ...holding("another\n") }),
        );
        await refreshLists(host);
        await installPackage(host, "bystander", "1.0");
        versions.serve("default", { version: "v15.6.5" });
        // rpm looks at files before it begins, dpkg when it comes to them.
        expect([11, 69]).toContain((await runNow(host)).status);
        const message = expect.stringMatching(new RegExp(`${path}.*bystander`)) as string;
        expect((await lastPass(host)).outcome).toMatchObject({ kind: "failed", step: "install", fault: { message } });
        await expectRunning(host, "15.4.5");
        expect(await host.read(path)).toBe("its own\n");
        await removePackage(host, "bystander");
      },
    },
    {
      title: "leaves an edited configuration file alone, and asks nothing",
      play: async ({ host, repository, versions, manners }) => {
        const conffiles = (text: string): Record<string, string> => ({ "/etc/svc.conf": `${text}\n` });
        await repository.publish(
          await buildAgent(host, { version: "15.6.3", conffiles: conffiles("old") }),
          await buildAgent(host, { version: "15.6.4", conffiles: conffiles("new") }),
        );
        versions.serve("default", { version: "15.6.3" });
        expect((await runNow(host)).status).toBe(0);
        await host.write("/etc/svc.conf", "edited\n");
        versions.serve("default", { version: "15.6.4" });
        expect((await runNow(host)).status).toBe(0);
        await expectRunning(host, "15.6.4");
        expect(await host.read("/etc/svc.conf")).toBe("edited\n");
        expect(await host.read(`/etc/svc.conf${manners.newConffile}`)).toBe("new\n");
      },
    },
  ],
};
