import { describe, expect, test } from "vitest";
import { rpmSuites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { buildPackage } from "./lab/package.ts";
import { refreshLists } from "./lab/package-tools.ts";
import { mustRun } from "./lab/program.ts";
import type { Repository } from "./lab/repository.ts";
import { scenario } from "./lab/scenario.ts";
import { kept, keptFile } from "./manage.ts";
import { agent, expectWhole, fault, managedHost, rows, v5, v6, v7 } from "./managed-host.ts";
import { holdPackage } from "./moves.ts";
import { withSources } from "./sources.ts";

/** Every package that was downloaded, as often as it was. */
function downloads({ server }: Repository): readonly string[] {
  return server.requests.filter(({ path }) => path.endsWith(".rpm")).map(({ path }) => path.replace(/^.*\//, ""));
}

/** Every name in the directory, those with a dot before them too. */
async function keptFiles(host: Host): Promise<readonly string[]> {
  return (await host.mustRun(["find", kept, "-mindepth", "1", "-printf", "%P\n"])).split("\n").filter(Boolean).toSorted();
}

describe.each(rpmSuites)("the file of a package, fetched by %s", (suite) => {
  test(
    "comes alone, held or not, and once: the installation takes it and what it depends on as they lie there",
    scenario(withSources({ suite }), async (stage) => {
      const { host, repository } = stage;
      const managing = await managedHost(stage);
      await repository.publish(await buildPackage(host, { name: "libbar", version: "1.0" }));
      await repository.publish(await agent(host, "15.4.7", { depends: ["libbar"] }));
      await holdPackage(host, "svc-ent");
      await refreshLists(host);
      const before = downloads(repository).length;
      expect(await managing.fetch(v5, "installed")).toEqual({ answer: keptFile(v5) });
      expect(await managing.fetch(v7, "offered")).toEqual({ answer: keptFile(v7) });
      expect(await keptFiles(host)).toEqual([keptFile(v5), keptFile(v7)]);
      for (const version of [v5, v7]) await host.mustRun(["rpm", "-K", `${kept}/${keptFile(version)}`]);
      expect(await managing.install(v7, { hold: "lifted" })).toEqual({});
      await expectWhole(host, v7);
      const fetched = downloads(repository).slice(before);
      expect(fetched.toSorted()).toEqual(["libbar-1.0-1.x86_64.rpm", keptFile(v5), keptFile(v7)]);
    }),
  );

  test(
    "is exactly that version, whatever its epoch and its file's name, also of a repository on the host itself",
    scenario(withSources({ suite }), async (stage) => {
      const { host, repository } = stage;
      const managing = await managedHost(stage);
      await repository.publish(await agent(host, "15.4.6", { packageVersion: "5:15.4.6-1" }));
      const tree = `${host.directory}/repository-svc/tree`;
      await host.mustRun(["mkdir", "-p", "/srv/tree"]);
      await mustRun(["mv", `${tree}/packages/${keptFile(v5)}`, `${tree}/packages/agent of old.rpm`]);
      await repository.publish(await agent(host, "15.4.7"));
      await refreshLists(host);
      expect(await managing.fetch("5:15.4.6-1", "offered")).toEqual({ answer: keptFile("5:15.4.6-1") });
      expect(await managing.fetch(v5, "installed")).toEqual({ answer: keptFile(v5) });
      const archive = `${host.directory}/tree.tar`;
      await mustRun(["tar", "--create", "--file", archive, "--directory", tree, "."]);
      await host.copyIn(archive, "/srv/tree.tar");
      await host.mustRun(["tar", "--extract", "--file", "/srv/tree.tar", "--directory", "/srv/tree"]);
      await host.mustRun(["sed", "-i", "s,^baseurl=.*,baseurl=file:///srv/tree,", repository.sourcesFile]);
      await refreshLists(host);
      await host.network.cable("out");
      expect(await managing.fetch(v7, "offered")).toEqual({ answer: keptFile(v7) });
      expect(await keptFiles(host)).toEqual([keptFile(v5), keptFile(v7), keptFile("5:15.4.6-1")].toSorted());
      expect(await managing.installFile("5:15.4.6-1")).toEqual({});
      expect(await rows(host)).toEqual(["5:15.4.6-1"]);
      expect(await managing.installFile(v5)).toEqual({});
      await expectWhole(host, v5);
    }),
  );

  test(
    "is no file at all where anything is wrong with it, and the directory stays as it was",
    scenario(withSources({ suite }), async (stage) => {
      const { host, repository } = stage;
      const managing = await managedHost(stage);
      if (suite === "zypper") await host.mustRun(["sh", "-c", `echo pkg_gpgcheck=1 >>${repository.sourcesFile}`]);
      await repository.publishSigned("missing", await agent(host, "15.4.7"));
      await repository.publishSigned("unknown-key", await agent(host, "15.4.8"));
      await repository.publish(await agent(host, "15.4.9"));
      await repository.alter("svc-ent", "15.4.9");
      await refreshLists(host);
      expect(await managing.fetch(v7, "offered")).toEqual(fault("package-untrusted", "signed"));
      expect(await managing.fetch("15.4.8-1", "offered")).toEqual(fault("package-untrusted", ""));
      expect(await managing.fetch("15.4.9-1", "offered")).toEqual(fault("download-failed", ""));
      expect(await managing.fetch("15.4.4-1", "offered")).toEqual(fault("not-offered", "15.4.4-1"));
      await repository.withdraw("svc-ent", v6);
      expect(await managing.fetch(v6, "offered")).toEqual(fault("download-failed", ""));
      await repository.withdraw("svc-ent", v5);
      await refreshLists(host);
      expect(await managing.fetch(v5, "installed")).toEqual(fault("not-offered", "15.4.5-1"));
      expect(await keptFiles(host)).toEqual([]);
    }),
  );

  test(
    "is no file where it cannot be reached or does not fit; as soon as it can, it is",
    scenario(withSources({ suite }), async (stage) => {
      const { host, repository } = stage;
      const managing = await managedHost(stage);
      await repository.server.goDown();
      expect(await managing.fetch(v6, "offered")).toEqual(fault("download-failed", ""));
      await repository.server.comeUp();
      for (const narrow of ["size=200k", "size=20m,nr_inodes=2"]) {
        await host.mustRun(["mount", "-t", "tmpfs", "-o", narrow, "tmpfs", kept]);
        expect(await managing.fetch(v5, "installed")).toEqual(fault("no-space", ""));
        expect(await keptFiles(host)).toEqual([]);
        expect(await managing.fetch(v6, "offered")).toEqual(fault("no-space", ""));
        expect(await keptFiles(host)).toEqual([]);
        await host.mustRun(["umount", kept]);
      }
      // A fetching that was killed.
      await host.mustRun(["mkdir", "-p", `${kept}/.fetching-killed/deep`]);
      expect(await managing.fetch(v6, "offered")).toEqual({ answer: keptFile(v6) });
      expect(await managing.fetch(v5, "installed")).toEqual({ answer: keptFile(v5) });
      expect(await keptFiles(host)).toEqual([keptFile(v5), keptFile(v6)]);
    }),
  );
});
