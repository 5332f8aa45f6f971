import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Change } from "../../../../src/updater/package/manager/manager.ts";
import { lockHolderAmong } from "../../../../src/machine/processes/lock-holder.ts";
import { dpkgLocks } from "../../../../src/updater/package/apt/locks.ts";
import { asRoot, fileName, scratchWith, missingTools, type Built } from "../scratch.ts";
import { serverOfFile } from "./file-server.ts";
import { agent, change, faultOf } from "./given.ts";
import { aptHost, environment, writeStatus, type Host } from "./on-host.ts";

const missing = missingTools();

const stock: readonly Built[] = [
  { name: "svc-ent", version: "15.4.5", configuration: "older\n" },
  { name: "svc-ent", version: "15.4.6", configuration: "newer\n" },
  { name: "svc-ent", version: "5:15.4.7-1" },
  { name: "svc-ent", version: "16.0.0", control: "Depends: libnew" },
  { name: "svc-ent", version: "16.2.0", control: "Conflicts: bystander" },
  { name: "svc-ent", version: "17.0.0", postinst: "#!/bin/sh\nexit 1\n" },
  { name: "bystander", version: "1.0" },
  { name: "lacking", version: "1.0", control: "Depends: nowhere" },
];

const { scratch, repository } = await scratchWith(stock);
const server = await serverOfFile(join(scratch.directory, "nothing"));

/** A host with these packages, whose only repository is gone ever since. */
async function host(...installed: readonly string[]): Promise<Host> {
  const made = await aptHost(scratch, { "ours.list": `deb [trusted=yes] file:${repository} ./\n` });
  await made.apt.refresh(agent);
  made.command("apt-get", "-qq", "-y", "install", ...installed);
  writeFileSync(join(made.root, "etc/apt/sources.list.d/ours.list"), `deb [trusted=yes] ${server.url} ./\n`);
  return made;
}

/** The file of a version, as it was kept. */
function kept({ root }: Host, version: string): string {
  const directory = join(root, "var/lib/svc-upgrade/packages");
  const file = join(directory, `svc-ent_${version.replaceAll(":", "%3a")}_all.deb`);
  mkdirSync(directory, { recursive: true });
  copyFileSync(join(repository, fileName({ name: agent, version })), file);
  return file;
}

function installKept(on: Host, to: string, more: Partial<Change> = {}): Promise<void> {
  return on.apt.installFile(change(to, more), kept(on, to));
}

/** By dpkg, and whatever it says. */
function force(on: Host, ...words: readonly string[]): void {
  try {
    on.command("dpkg", `--root=${on.root}`, "--log=/dev/null", "--path-include=/*", "--force-depends", ...words);
  } catch {
    // It is what it leaves that matters.
  }
}

/** Another run of apt that holds dpkg's lock for so long. */
async function lockedFor(seconds: number, { root }: Host): Promise<{ readonly pid: number; readonly ended: Promise<void> }> {
  const [program, ...rest] = [
    ...asRoot,
    "apt-get",
    "-qq",
    "-y",
    "-o",
    `DPkg::Pre-Invoke::=sleep ${seconds}`,
    "install",
    "bystander",
  ];
  const child = spawn(program, rest, { env: environment(root), stdio: "ignore" });
  const hasEnded = new Promise<void>((resolve) => child.once("close", () => resolve()));
  while (lockHolderAmong(root, dpkgLocks) === undefined) await pause(10);
  return { pid: child.pid ?? 0, ended: hasEnded };
}

describe.skipIf(missing !== undefined)("an installation from a file, with every repository gone", () => {
  test.each<[title: string, left: (on: Host) => void | Promise<void>]>([
    ["without any list", ({ root }) => rmSync(join(root, "var/lib/apt/lists"), { recursive: true })],
    [
      "with a list that apt cannot read",
      ({ root, command }) => {
        const lists = join(root, "var/lib/apt/lists");
        writeFileSync(join(root, "etc/apt/sources.list.d/ours.list"), `deb [trusted=yes] file:${repository} ./\n`);
        const name =
          command("ls", lists)
            .split("\n")
            .find((entry) => entry.endsWith("Packages")) ?? "";
        rmSync(join(lists, name));
        writeFileSync(join(lists, name), "no list at all\n");
        for (const cache of ["pkgcache.bin", "srcpkgcache.bin"]) rmSync(join(root, "var/cache/apt", cache), { force: true });
        expect(() => command("apt-get", "-qq", "-s", "install", "svc-ent")).toThrow("Unable to parse package file");
      },
    ],
    [
      "with a source that apt cannot read",
      ({ root }) => writeFileSync(join(root, "etc/apt/sources.list.d/bad.list"), "no source at all\n"),
    ],
    [
      "beside a package that lacks what it depends on",
      (on) => {
        force(on, "--install", join(repository, "lacking_1.0_all.deb"));
        expect(() => on.command("apt-get", "-qq", "check")).toThrow("Unmet dependencies");
      },
    ],
    [
      "after a run of dpkg that did not finish",
      ({ root, command }) => {
        writeFileSync(join(root, "var/lib/dpkg/updates/0001"), "\n");
        expect(() => command("apt-get", "-qq", "-y", "install", "bystander")).toThrow("dpkg was interrupted");
      },
    ],
    ["over one that did not finish", ({ root }) => writeStatus(root, "install reinstreq half-installed")],
  ])("goes up and down %s", async (_title, left) => {
    const on = await host("svc-ent=15.4.6");
    await left(on);
    server.fetched.length = 0;
    await installKept(on, "15.4.5", { direction: "down" });
    expect(await on.apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole", isHeld: false });
    await installKept(on, "5:15.4.7-1");
    expect(await on.apt.inspect(agent)).toMatchObject({ packageVersion: "5:15.4.7-1", condition: "whole" });
    expect(readFileSync(join(on.root, "usr/share/svc-ent/version"), "utf8")).toBe("5:15.4.7-1\n");
    expect(server.fetched).toEqual([]);
  });

  test("installs the same once more, and where nothing was installed", async () => {
    const on = await host("bystander");
    await installKept(on, "15.4.5");
    const file = join(on.root, "usr/share/svc-ent/version");
    writeFileSync(file, "damaged\n");
    await installKept(on, "15.4.5", { direction: "same" });
    expect(readFileSync(file, "utf8")).toBe("15.4.5\n");
    expect(await on.apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
  });

  test.each<{ title: string; installed: readonly string[]; to: string; more?: Partial<Change>; says: string }>([
    { title: "a way down that is none", installed: ["svc-ent=15.4.6"], to: "15.4.5", says: "Packages were downgraded" },
    {
      title: "a way down that is none, beside a package that lacks something",
      installed: ["svc-ent=15.4.6", "--lacking"],
      to: "15.4.5",
      says: "will not downgrade",
    },
    {
      title: "a conflict beside a package that lacks something",
      installed: ["svc-ent=15.4.6", "bystander", "--lacking"],
      to: "16.2.0",
      says: "conflicts with bystander",
    },
    { title: "what is not there", installed: ["svc-ent=15.4.6"], to: "16.0.0", says: "Depends: libnew" },
    { title: "a change of what is held", installed: ["svc-ent=15.4.6", "--held"], to: "5:15.4.7-1", says: "hold on svc-ent" },
  ])("refuses $title, and touches nothing", async ({ installed, to, more, says }) => {
    const on = await host(...installed.filter((word) => !word.startsWith("--")));
    if (installed.includes("--lacking")) force(on, "--install", join(repository, "lacking_1.0_all.deb"));
    if (installed.includes("--held")) on.command("apt-mark", "hold", "svc-ent");
    const before = readFileSync(join(on.root, "var/lib/dpkg/status"), "utf8");
    const transactions = on.transactions.length;
    const fault = await faultOf(installKept(on, to, more));
    expect(fault).toMatchObject({ code: "plan-refused" });
    expect(fault.message).toContain(says);
    expect(readFileSync(join(on.root, "var/lib/dpkg/status"), "utf8")).toBe(before);
    // Only where apt can say nothing is dpkg asked, and for that it needs all of root's rights.
    expect(on.transactions).toHaveLength(transactions + (installed.includes("--lacking") ? 1 : 0));
  });

  test("puts a lifted hold back after a failure too, though no source can be read", async () => {
    const on = await host("svc-ent=15.4.6");
    on.command("apt-mark", "hold", "svc-ent");
    writeFileSync(join(on.root, "etc/apt/sources.list.d/bad.list"), "no source at all\n");
    await installKept(on, "17.0.0", { hold: "lifted" }).catch(() => undefined);
    expect(await on.apt.inspect(agent)).toMatchObject({ packageVersion: "17.0.0", condition: "half-way", isHeld: true });
  });

  test("leaves an edited configuration file as it is, without a question", async () => {
    const on = await host("svc-ent=15.4.6");
    const edited = join(on.root, "etc/svc-ent.conf");
    writeFileSync(edited, "edited\n");
    await installKept(on, "15.4.5", { direction: "down" });
    expect(readFileSync(edited, "utf8")).toBe("edited\n");
  });

  test("says that a package's script failed, and goes back from there", async () => {
    const on = await host("svc-ent=15.4.6");
    const fault = await faultOf(installKept(on, "17.0.0"));
    expect(fault).toMatchObject({ code: "install-failed" });
    expect(fault.message).toContain("post-installation script subprocess returned error");
    await installKept(on, "15.4.6", { direction: "down" });
    expect(await on.apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.6", condition: "whole" });
  });

  test("waits for another run to end", async () => {
    const on = await host("svc-ent=15.4.6");
    writeFileSync(join(on.root, "etc/apt/sources.list.d/ours.list"), `deb [trusted=yes] file:${repository} ./\n`);
    const other = await lockedFor(1.5, on);
    await installKept(on, "15.4.5", { direction: "down" });
    await other.ended;
    expect(await on.apt.inspect(agent)).toMatchObject({ packageVersion: "15.4.5", condition: "whole" });
    expect(execFileSync("dpkg-query", [`--admindir=${on.root}/var/lib/dpkg`, "-W", "bystander"], { encoding: "utf8" })).toContain(
      "1.0",
    );
  });
});
