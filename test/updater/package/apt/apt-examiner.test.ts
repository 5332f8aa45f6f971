import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { aptExaminer } from "../../../../src/updater/package/apt/apt-examiner.ts";
import { aptManager } from "../../../../src/updater/package/apt/apt-manager.ts";
import { transactDirectly } from "../../../../src/updater/package/call/transact-directly.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { environment } from "./on-host.ts";
import { runBehind } from "../run.ts";
import { asRoot, scratchWith, missingTools, type Built } from "../scratch.ts";

const missing = missingTools();

const name = "svc-ent" as PackageName;
const stock: readonly Built[] = [
  { name: "svc-ent", version: "5:15.4.5-1" },
  { name: "svc-ent", version: "5:15.4.6-1", control: "Depends: libnew\nInstalled-Size: 3000" },
  { name: "libnew", version: "1.0", control: "Installed-Size: 5000" },
];

const { scratch, repository } = await scratchWith(stock);
const root = await scratch.root("root", { "ours.list": `deb [trusted=yes] file:${repository} ./\n` });
const run = runBehind(asRoot);
const apt = aptManager({ run, transact: transactDirectly(run), root, proxies: {} });
const examiner = aptExaminer({ run, root, isActive: async () => true });

function install(version: string): void {
  const [file, ...words] = [...asRoot, "apt-get", "-qq", "-y", "install", `${name}=${version}`];
  execFileSync(file, words, { env: environment(root) });
}

describe.skipIf(missing !== undefined)("apt's examination of a host", () => {
  test("knows what a change takes with all that comes along, and for no change as much as is installed", async () => {
    await apt.refresh(name);
    install("5:15.4.5-1");
    const to = "5:15.4.6-1" as PackageVersion;
    const needs = await examiner.needs(name, { name, to, direction: "up", hold: "none", beside: [] });
    const at = (path: string): number => needs.find((need) => need.path === `${root}${path}`)?.bytes ?? -1;
    expect(at("/usr")).toBe((3000 + 5000) * 1024);
    expect(at("/var/cache/apt/archives")).toBeGreaterThan(0);
    expect(at("/var/cache/apt/archives")).toBeLessThan(100_000);
    expect(at("/var/lib/dpkg")).toBeGreaterThan(0);
    // What says nothing of its size takes nothing that could be told.
    expect((await examiner.needs(name, undefined)).map(({ bytes }) => bytes)).toEqual([0, 0, at("/var/lib/dpkg")]);
  });

  test.each(["var/lib/dpkg/lock", "var/lib/dpkg/lock-frontend", "var/lib/apt/lists/lock", "var/cache/apt/archives/lock"])(
    "names who holds %s, and takes none itself",
    async (lock) => {
      expect(examiner.lockHolder()).toBeUndefined();
      const holder = spawn("flock", [`${root}/${lock}`, "sh", "-c", "echo held; read _"], { stdio: ["pipe", "pipe", "inherit"] });
      await once(holder.stdout, "data");
      expect(examiner.lockHolder()).toEqual({ pid: holder.pid, program: "flock" });
      holder.stdin.end("\n");
      await once(holder, "close");
    },
  );
});
