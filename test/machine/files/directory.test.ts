import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { inDirectory, makeDirectory } from "../../../src/machine/files/directory.ts";
import { removeFile } from "../../../src/machine/files/remove-file.ts";
import { writeFileAtomically } from "../../../src/machine/files/write-file.ts";
import { inChroot, scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const isRoot = process.getuid?.() === 0;
if (inChroot()) console.warn("SKIPPED: what is written without /proc: a root that is no mount cannot keep its mounts to itself");
if (!isRoot) console.warn("SKIPPED: the tests of directories that belong to another user: only root can give them away");
const stranger = 12_002;

let folder = "";
/** Where the links lead, and nothing of ours may arrive. */
let elsewhere = "";
beforeEach(() => {
  folder = mkdtempSync(`${scratch}/tree-`);
  elsewhere = mkdtempSync(`${scratch}/elsewhere-`);
  chmodSync(scratch, 0o755);
  chmodSync(folder, 0o755);
});

/** Below another root, and on the machine itself. */
const roots = [
  { kind: "another root", rootOf: () => folder },
  { kind: "the machine itself", rootOf: () => "/" },
] as const;

function write(path: string, root: string = folder): void {
  writeFileAtomically(path, "ours\n", { root, mode: 0o644, fault: "file-failed" });
}

function give(path: string, uid: number = stranger): void {
  chownSync(path, uid, uid);
}

const untrusted = expect.objectContaining({ code: "path-untrusted" }) as Error;

describe("the way to a file that is written", () => {
  test.each(["var", "var/lib", "var/lib/svc-upgrade"])("follows no link at %s below another root, whoever put it there", (at) => {
    mkdirSync(join(elsewhere, "lib/svc-upgrade"), { recursive: true });
    mkdirSync(join(elsewhere, "svc-upgrade"), { recursive: true });
    mkdirSync(join(folder, dirname(at)), { recursive: true });
    symlinkSync(elsewhere, join(folder, at));
    const target = join(folder, "var/lib/svc-upgrade/ledger.json");
    expect(() => write(target)).toThrow(untrusted);
    expect(() => makeDirectory(dirname(target), { root: folder })).toThrow(untrusted);
    expect(() => removeFile(target, folder)).toThrow(untrusted);
    expect(readdirSync(elsewhere, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "lib",
      "lib/svc-upgrade",
      "svc-upgrade",
    ]);
  });

  test("follows links of root's on the machine itself, absolute ones and others", () => {
    mkdirSync(join(elsewhere, "real/inner"), { recursive: true });
    symlinkSync(elsewhere, join(folder, "absolute"));
    symlinkSync(`../${elsewhere.split("/").at(-1)}/./real`, join(folder, "relative"));
    write(join(folder, "absolute/real/inner/one"), "/");
    write(join(folder, "relative/inner/two"), "/");
    expect(readdirSync(join(elsewhere, "real/inner")).toSorted()).toEqual(["one", "two"]);
    symlinkSync("loop", join(folder, "loop"));
    expect(() => write(join(folder, "loop/three"), "/")).toThrow("more than 40 links");
  });

  test.runIf(isRoot)("follows no link on the machine itself that another user could have put there", () => {
    mkdirSync(join(folder, "metrics"));
    symlinkSync(elsewhere, join(folder, "metrics/node-exporter"));
    const target = join(folder, "metrics/node-exporter/svc.prom");
    give(join(folder, "metrics"));
    expect(() => write(target, "/")).toThrow(untrusted);
    give(join(folder, "metrics"), 0);
    chmodSync(join(folder, "metrics"), 0o777);
    expect(() => write(target, "/")).toThrow(untrusted);
    chownSync(join(folder, "metrics"), 0, stranger);
    chmodSync(join(folder, "metrics"), 0o775);
    expect(() => write(target, "/")).toThrow(
      '"node-exporter" on the way is a symbolic link that another user could have put there',
    );
    expect(readdirSync(elsewhere)).toEqual([]);
    // In a sticky directory a link is its owner's alone.
    chmodSync(join(folder, "metrics"), 0o1777);
    write(target, "/");
    expect(readdirSync(elsewhere)).toEqual(["svc.prom"]);
  });

  test.runIf(isRoot)("may lead through directories of another user: what they can do there is theirs to see", () => {
    mkdirSync(join(folder, "theirs/inner"), { recursive: true });
    for (const path of ["theirs", "theirs/inner"]) give(join(folder, path));
    write(join(folder, "theirs/inner/file"), "/");
    expect(readFileSync(join(folder, "theirs/inner/file"), "utf8")).toBe("ours\n");
  });

  test("stays in the directory that was opened, whatever is put in its place", () => {
    mkdirSync(join(folder, "state"));
    inDirectory(join(folder, "state"), { root: folder, missing: "refuse" }, ({ at }) => {
      execFileSync("mv", [join(folder, "state"), join(folder, "moved")]);
      symlinkSync(elsewhere, join(folder, "state"));
      writeFileSync(`${at}/file`, "");
    });
    expect([readdirSync(elsewhere), readdirSync(join(folder, "moved"))]).toEqual([[], ["file"]]);
  });

  test.runIf(isRoot)("is made where it is missing, readable by everyone, and its owner's where one is named", () => {
    const umask = process.umask(0o077);
    makeDirectory(join(folder, "a/b"), { root: folder, owner: { uid: stranger, gid: stranger } });
    process.umask(umask);
    for (const path of ["a", "a/b"]) {
      expect(statSync(join(folder, path))).toMatchObject({ uid: stranger, gid: stranger, mode: 0o40755 });
    }
    makeDirectory(join(folder, "a/b"), { root: folder });
    expect(statSync(join(folder, "a/b")).uid).toBe(stranger);
  });

  test.runIf(isRoot)("is made by a user other than root below a directory of theirs with another group", () => {
    const source = JSON.stringify(`${import.meta.dirname}/../../../src/machine/files/directory.ts`);
    chownSync(folder, stranger, 0);
    const script = `import { makeDirectory } from ${source};
      process.setgroups([]);
      process.setgid(${stranger});
      process.setuid(${stranger});
      makeDirectory(${JSON.stringify(join(folder, "a"))}, { root: "/", owner: { uid: ${stranger}, gid: 0 } });`;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
    expect([stderr, statSync(join(folder, "a"))]).toMatchObject(["", { uid: stranger, gid: stranger }]);
  });

  test("is made once, by whoever of many comes first", async () => {
    const source = JSON.stringify(`${import.meta.dirname}/../../../src/machine/files/directory.ts`);
    const deep = join(folder, "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w");
    const script = `import { readSync } from "node:fs";
      import { makeDirectory } from ${source};
      process.stdout.write("ready");
      readSync(0, Buffer.alloc(1));
      makeDirectory(${JSON.stringify(deep)}, { root: "/" });`;
    const many = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    const ended = many.map(async (child) => ((await once(child, "exit")) as [number])[0]);
    await Promise.all(many.map((child) => once(child.stdout, "data")));
    for (const child of many) child.stdin.end();
    expect(await Promise.all(ended)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(existsSync(deep)).toBe(true);
  });

  test("leaves nothing open", () => {
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = open();
    write(join(folder, "file"));
    makeDirectory(join(folder, "made/below"), { root: folder });
    symlinkSync(elsewhere, join(folder, "link"));
    expect(() => write(join(folder, "link/file"))).toThrow(untrusted);
    expect(() => write(join(folder, "missing/file"))).toThrow("no such file or directory");
    expect(open()).toBe(before);
  });

  test.runIf(isRoot && !inChroot())("is not gone where /proc is missing, and whoever asks is told to mount it", () => {
    const script = `import { makeDirectory } from ${JSON.stringify(`${import.meta.dirname}/../../../src/machine/files/directory.ts`)};
      try { makeDirectory(${JSON.stringify(join(folder, "x"))}, { root: "/" }); } catch (thrown) { console.log(thrown.code, thrown.hint); }`;
    // The runtime itself wants /proc to begin with.
    const run = `const { execFileSync } = await import("node:child_process"); execFileSync("umount", ["-l", "/proc"]);\n${script.replace(/^import (.*) from (.*);$/m, "const $1 = await import($2);")}`;
    const { stdout } = spawnSync("unshare", ["-m", process.execPath, "--input-type=module", "-e", run], { encoding: "utf8" });
    expect(stdout).toBe("host-unsupported mount it: `sudo mount -t proc proc /proc`\n");
    expect(existsSync(join(folder, "x"))).toBe(false);
  });
});

describe.each(roots)("in the place of a file on $kind", ({ rootOf }) => {
  const victim = (): string => join(elsewhere, "victim");
  beforeEach(() => writeFileSync(victim(), "the machine's\n"));

  test.each([
    ["a link", (path: string) => symlinkSync(victim(), path)],
    ["a link that leads nowhere", (path: string) => symlinkSync(join(elsewhere, "nowhere"), path)],
    ["a second name of another file", (path: string) => linkSync(victim(), path)],
    ["a named pipe", (path: string) => execFileSync("mkfifo", [path])],
  ])("%s gives way, and is not written to", (_title, lay) => {
    const path = join(folder, "file");
    lay(path);
    write(path, rootOf());
    expect([readFileSync(path, "utf8"), statSync(path).nlink]).toEqual(["ours\n", 1]);
    expect([readFileSync(victim(), "utf8"), readdirSync(elsewhere)]).toEqual(["the machine's\n", ["victim"]]);
    lay(`${path}-removed`);
    removeFile(`${path}-removed`, rootOf());
    expect([readFileSync(victim(), "utf8"), readdirSync(folder)]).toEqual(["the machine's\n", ["file"]]);
  });

  test("a directory stays, and is a fault", () => {
    mkdirSync(join(folder, "file/inside"), { recursive: true });
    expect(() => write(join(folder, "file"), rootOf())).toThrow(expect.objectContaining({ code: "file-failed" }) as Error);
    expect(readdirSync(folder)).toEqual(["file"]);
    rmSync(join(folder, "file"), { recursive: true });
  });

  test.runIf(isRoot)("the new one is its owner's where one is named", () => {
    const owner = { uid: stranger, gid: stranger };
    writeFileAtomically(join(folder, "file"), "", { root: rootOf(), mode: 0o640, fault: "file-failed", owner });
    expect(statSync(join(folder, "file"))).toMatchObject({ uid: stranger, gid: stranger, mode: 0o100640 });
  });

  test("the new one is given to nobody where it is its owner's already, which a sandbox forbids", () => {
    const owner = { uid: process.getuid!(), gid: process.getgid!() };
    // Whoever gives a program away takes this bit from it.
    const mode = 0o4755;
    writeFileAtomically(join(folder, "file"), "", { root: rootOf(), mode, fault: "file-failed", owner });
    expect(statSync(join(folder, "file")).mode & 0o7777).toBe(mode);
  });
});
