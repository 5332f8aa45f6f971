import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { debContents } from "../../packaging/deb/package.ts";
import { products } from "../../packaging/products/products.ts";
import { executablePath, nativeArchitecture, type Format } from "../../packaging/project.ts";
import { rpmContents } from "../../packaging/rpm/package.ts";
import type { TreeFile } from "../../packaging/tree.ts";
import { builtPackage } from "./built-package.ts";
import { agentProcess, buildAgent, installAgent } from "./lab/agent.ts";
import { rpmSuites } from "./lab/base.ts";
import { mustRun } from "./lab/program.ts";
import { inLab, scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { mainProcess } from "./main-process.ts";
import { newerPackage } from "./newer-package.ts";
import { installUpdater, updaterPackage } from "./updater.ts";

let place = "";
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "svc-upgrade-rpm-package-"));
});
afterAll(() => rm(place, { recursive: true }));

describe.each(products)("the packages of $program", (product) => {
  test(
    "install what their one list says, and the executable as it was built",
    inLab(async () => {
      const { packageName, program } = product;
      const [deb, rpm] = [await unpacked(packageName, "deb"), await unpacked(packageName, "rpm")];
      expect(await filesBelow(deb)).toEqual(filesOf(debContents(nativeArchitecture, product)));
      expect(await filesBelow(rpm)).toEqual(filesOf(rpmContents(nativeArchitecture, product)));
      for (const same of ["bin", "lib", `share/${program}`, "share/man", "share/bash-completion", "share/fish"])
        await mustRun(["diff", "--recursive", join(deb, "usr", same), join(rpm, "usr", same)]);
      await mustRun(["cmp", join(rpm, "usr/bin", program), executablePath(nativeArchitecture, program)]);
    }),
  );
});

test(
  "rpm refuses a host without systemd 247, with one sentence for each thing that is missing",
  inLab(async () => {
    const root = join(place, "root");
    await mkdir(root);
    const argv = ["rpm", "--root", root, "--test", "--install", await updaterPackage("rpm")];
    await expect(mustRun(argv)).rejects.toThrow(/\tsystemd >= 247 is needed by svc-ent-updater-/);
  }),
);

describe.each(rpmSuites)("an upgrade of the updater on %s", (suite) => {
  test(
    "touches neither a running pass, nor the agent, nor the directory of the agent's user, nor an administrator's choice",
    scenario({ suite }, async ({ host, repository }) => {
      await repository.publish(await buildAgent(host, { version: "15.4.5" }));
      await installAgent(host, "15.4.5");
      await installUpdater(host);
      await host.mustRun(["chown", "ordinary", "/etc/svc-upgrade.d"]);
      await host.mustRun(["systemctl", "disable", "--now", "svc-upgrade.timer"]);
      await host.write(
        "/etc/systemd/system/svc-upgrade.service.d/slow.conf",
        "[Service]\nExecStart=\nExecStart=/bin/sleep 600\n",
      );
      await host.mustRun(["systemctl", "daemon-reload"]);
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      const pass = await until("the pass begins", 10_000, () => mainProcess(host, "svc-upgrade.service"));
      const agent = await agentProcess(host);
      expect(agent).toBeDefined();

      await host.copyIn(await newerOnce(), "/root/newer.rpm");
      await host.mustRun(["rpm", "--force-debian", "--upgrade", "/root/newer.rpm"]);

      expect(await host.mustRun(["rpm", "--query", "svc-ent-updater"])).toMatch(/^svc-ent-updater-9\.0\.0-1\.\w+\n$/);
      expect(await mainProcess(host, "svc-upgrade.service")).toBe(pass);
      expect(await agentProcess(host)).toEqual(agent);
      expect(await host.mustRun(["stat", "--format=%U %A", "/etc/svc-upgrade.d"])).toBe("ordinary drwxr-xr-x\n");
      expect((await host.run(["systemctl", "is-enabled", "svc-upgrade.timer"])).stdout).toBe("disabled\n");
      expect(await host.mustRun(["rpm", "--verify", "svc-ent-updater"])).toBe("");
      await host.mustRun(["systemctl", "kill", "svc-upgrade.service"]);
    }),
  );
});

let newer: Promise<string> | undefined;

function newerOnce(): Promise<string> {
  newer ??= newerPackage.rpm(join(place, "newer"));
  return newer;
}

async function unpacked(name: string, format: Format): Promise<string> {
  const tree = join(place, name, format);
  await mkdir(tree, { recursive: true });
  const file = await builtPackage(name, format);
  if (format === "deb") await mustRun(["dpkg-deb", "--extract", file, tree]);
  else await mustRun(["sh", "-c", 'rpm2archive --nocompression <"$1" | tar --extract', "unpack", file], { cwd: tree });
  return tree;
}

function filesOf(list: readonly TreeFile[]): readonly string[] {
  return list.flatMap((file) => ("folder" in file ? [] : [file.to])).toSorted();
}

async function filesBelow(tree: string): Promise<readonly string[]> {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .toSorted();
}
