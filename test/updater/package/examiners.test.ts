import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { aptExaminer } from "../../../src/updater/package/apt/apt-examiner.ts";
import type { ExaminerEffects, PackageExaminer } from "../../../src/updater/package/manager/examiner.ts";
import type { CommandResult } from "../../../src/machine/processes/command.ts";
import { yumExaminer } from "../../../src/updater/package/yum/yum-examiner.ts";
import { zypperExaminer } from "../../../src/updater/package/zypper/zypper-examiner.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { agent, change } from "./apt/given.ts";

const root = scratchFolder();
beforeEach(() => {
  for (const name of ["var", "usr", "etc", "run"]) rmSync(`${root}/${name}`, { recursive: true, force: true });
});

function put(path: string, text = ""): void {
  mkdirSync(`${root}${path.replace(/\/[^/]*$/, "")}`, { recursive: true });
  writeFileSync(`${root}${path}`, text);
}

function effects(stdout: string = ""): ExaminerEffects {
  const run = async (): Promise<CommandResult> => ({ kind: "exited", status: 0, stdout, stderr: "" });
  return { run, root, isActive: async () => true };
}

describe("what an administrator is told to type", () => {
  const onThisMachine = { ...effects(), root: "/" };
  const words = ({ name, remedies }: PackageExaminer): readonly string[] => [
    name,
    remedies.unhold(agent),
    remedies.refresh,
    remedies.mend,
    remedies.tidy,
    remedies.keepTime,
    remedies.lookUp(agent),
  ];
  test.each<[examiner: PackageExaminer, told: readonly string[]]>([
    [
      yumExaminer(onThisMachine),
      [
        "yum",
        "sudo dnf versionlock delete svc-ent",
        "sudo dnf makecache",
        "sudo dnf remove --duplicates",
        "sudo dnf clean packages",
        "sudo dnf install chrony",
        "dnf list --showduplicates svc-ent",
      ],
    ],
    [
      zypperExaminer(onThisMachine),
      [
        "zypper",
        "sudo zypper removelock svc-ent",
        "sudo zypper refresh",
        "sudo svc-upgrade run --now",
        "sudo zypper clean --all",
        "sudo zypper install chrony",
        "zypper search --details --match-exact svc-ent",
      ],
    ],
  ])("%#", (examiner, told) => {
    expect(words(examiner)).toEqual(told);
  });

  test("what is about another root is typed within it", () => {
    const { remedies } = aptExaminer(effects());
    expect(remedies.unhold(agent)).toBe(`sudo chroot ${root} apt-mark unhold svc-ent`);
    expect(remedies.lookUp(agent)).toBe(`sudo chroot ${root} apt-cache policy svc-ent`);
  });
});

describe("apt's examiner", () => {
  test.each(["x_InRelease", "x_Release", "x_Packages", "x_Packages.lz4"])("knows when lists like %s were asked for", (list) => {
    const examiner = aptExaminer(effects());
    expect(examiner.listsAskedAt()).toBeUndefined();
    put("/var/lib/apt/lists/partial/x");
    put("/var/lib/apt/lists/lock");
    expect(examiner.listsAskedAt()).toBeUndefined();
    put(`/var/lib/apt/lists/${list}`);
    expect(examiner.listsAskedAt()).toBe(Math.floor(statSync(`${root}/var/lib/apt/lists/partial`).ctimeMs / 1000));
    rmSync(`${root}/var/lib/apt/lists/partial`, { recursive: true });
    expect(examiner.listsAskedAt()).toBeUndefined();
  });

  test("knows a package in the cache by its whole version", () => {
    const isCached = (version: string): boolean => aptExaminer(effects()).isCached(agent, version as PackageVersion);
    put("/var/cache/apt/archives/other_1_all.deb");
    put("/var/cache/apt/archives/svc-ent_5%3a1_all.deb.part");
    expect(isCached("5:1")).toBe(false);
    put("/var/cache/apt/archives/svc-ent_5%3a1_all.deb");
    expect([isCached("5:1"), isCached("1"), isCached("5:10")]).toEqual([true, false, false]);
  });

  test("finds a run of dpkg that did not finish, before all else", async () => {
    put("/var/lib/dpkg/updates/0001");
    const audit = "The following packages are only half configured:\n svc-ent  an agent\n";
    expect(await aptExaminer(effects(audit)).audit()).toEqual([
      "a run of dpkg was interrupted",
      "svc-ent is not properly installed",
    ]);
    rmSync(`${root}/var/lib/dpkg/updates/0001`);
    expect(await aptExaminer(effects()).audit()).toEqual([]);
  });

  test("looks for rivals and for room", async () => {
    const examiner = aptExaminer(effects());
    expect(await examiner.rivals(agent)).toEqual([]);
    put("/etc/cron.d/cron-apt");
    put("/etc/cron-apt/action.d/5-install", "dist-upgrade -y\n");
    expect(await examiner.rivals(agent)).toHaveLength(1);
    expect((await examiner.needs(agent, undefined)).map(({ path }) => path)).toEqual(
      ["/var/cache/apt/archives", "/usr", "/var/lib/dpkg"].map((path) => `${root}${path}`),
    );
  });
});

describe("zypper's examiner", () => {
  const examiner = (): PackageExaminer => zypperExaminer(effects());
  test("knows a package in the cache of any repository by its whole version", () => {
    const isCached = (version: string): boolean => examiner().isCached(agent, version as PackageVersion);
    put("/var/cache/zypp/packages/svc/x86_64/svc-ent-1-1.x86_64.rpm.part");
    expect(isCached("1-1")).toBe(false);
    put("/var/cache/zypp/packages/svc/x86_64/svc-ent-1-1.x86_64.rpm");
    expect([isCached("1-1"), isCached("1-10")]).toEqual([true, false]);
  });

  test("is locked by the process that its file names, while that lives", () => {
    expect(examiner().lockHolder()).toBeUndefined();
    put("/run/zypp.pid", `${process.pid}\n`);
    expect(examiner().lockHolder()).toMatchObject({ pid: process.pid });
    for (const nobody of ["4194305\n", ""]) {
      put("/run/zypp.pid", nobody);
      expect(examiner().lockHolder()).toBeUndefined();
    }
  });

  test("has asked for its lists when it last dated one of them", () => {
    mkdirSync(`${root}/var/cache/zypp/raw/empty`, { recursive: true });
    expect(examiner().listsAskedAt()).toBeUndefined();
    for (const [alias, at] of Object.entries({ old: 1_700_000_000, new: 1_800_000_000 })) {
      const path = `/var/cache/zypp/raw/${alias}/repodata/repomd.xml`;
      put(path);
      utimesSync(`${root}${path}`, at, at);
    }
    expect(examiner().listsAskedAt()).toBe(1_800_000_000);
  });

  test("looks for rivals and for room", async () => {
    expect(await examiner().rivals(agent)).toHaveLength(2);
    expect((await examiner().needs(agent, change("1-1"))).map(({ path }) => path)).toEqual([
      "/var/tmp",
      ...["/var/cache/zypp", "/usr", "/var/lib"].map((path) => `${root}${path}`),
    ]);
  });

  test("finds nothing wrong in a whole database", async () => {
    expect(await examiner().audit()).toEqual([]);
    expect(await yumExaminer(effects()).audit()).toEqual([]);
  });
});

describe("yum's examiner", () => {
  const examiner = (): PackageExaminer => yumExaminer(effects());
  test("knows a package in the cache of any repository by its whole version", () => {
    const isCached = (version: string): boolean => examiner().isCached(agent, version as PackageVersion);
    put("/var/cache/dnf/other-0/packages/other-1.x86_64.rpm");
    put("/var/cache/dnf/svc-0/packages/svc-ent-1-1.x86_64.rpm.part");
    expect(isCached("1-1")).toBe(false);
    put("/var/cache/dnf/svc-0/packages/svc-ent-1-1.x86_64.rpm");
    expect([isCached("1-1"), isCached("5:1-1"), isCached("1-10")]).toEqual([true, true, false]);
  });

  test("finds nobody at work, no lists and no rival on an empty host", async () => {
    expect([examiner().lockHolder(), examiner().listsAskedAt(), await examiner().rivals(agent)]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  test.each(["/var/cache/dnf/metadata_lock.pid", "/var/cache/dnf/download_lock.pid", "/var/lib/dnf/rpmdb_lock.pid"])(
    "finds whom %s names",
    (lock) => {
      put(lock, `${process.pid}`);
      expect(examiner().lockHolder()?.pid).toBe(process.pid);
    },
  );
});
