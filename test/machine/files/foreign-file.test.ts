import { execFileSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { reach, readForeignFile, wayFree } from "../../../src/machine/files/foreign-file.ts";
import { underLease } from "./lease.ts";
import { inChroot, scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const limits = { capBytes: 10, links: "follow" } as const;

function lacking(): string | undefined {
  if (process.getuid?.() !== 0) return "it is not root";
  if (!existsSync("/dev/fuse")) return "there is no /dev/fuse";
  return inChroot() ? "a root that is no mount cannot keep its mounts to itself" : undefined;
}

describe("a file that another user may have put there", () => {
  test("is the one that the kernel would open, by whatever links and dots the way leads", () => {
    mkdirSync(`${folder}/one/two`, { recursive: true });
    writeFileSync(`${folder}/one/file`, "aim");
    symlinkSync(`${folder}/one/two`, `${folder}/absolute`);
    symlinkSync("one/two/", `${folder}/relative`);
    symlinkSync("../absolute/../file", `${folder}/one/crooked`);
    symlinkSync(`/../../${folder}/relative/.././crooked`, `${folder}/last`);
    for (const way of ["one/file", "one//two/.././file", "absolute/../file", "relative/../crooked", "last"]) {
      const path = `${folder}/${way}`;
      expect([way, readForeignFile(path, limits)]).toMatchObject([way, { kind: "read", text: "aim" }]);
      expect(reach(path, "follow", (place) => statSync(place).ino)).toBe(statSync(path).ino);
    }
    expect(reach("package.json", "refuse", (place) => statSync(place).ino)).toBe(statSync("package.json").ino);
    expect(reach("/", "refuse", (place) => statSync(place).isDirectory())).toBe(true);
  });

  test("is not behind a link at the end unless links are followed, and may be the link itself", () => {
    writeFileSync(`${folder}/target`, "aim");
    symlinkSync("target", `${folder}/link`);
    symlinkSync("loop", `${folder}/loop`);
    expect(readForeignFile(`${folder}/link`, { ...limits, links: "refuse" })).toEqual({
      kind: "refused",
      why: "it is a symbolic link",
    });
    expect(reach(`${folder}/link`, "itself", (place) => statSync(place).isSymbolicLink())).toBe(true);
    expect(readForeignFile(`${folder}/loop`, limits)).toEqual({
      kind: "refused",
      why: "more than 40 symbolic links lead to it",
    });
  });

  const planting = 12_003;

  test.runIf(process.getuid?.() === 0)("is not behind a link that another user put on the way, or could put there", () => {
    mkdirSync(`${folder}/roots`);
    writeFileSync(`${folder}/roots/file`, "aim");
    mkdirSync(`${folder}/anothers`);
    symlinkSync(`${folder}/roots`, `${folder}/anothers/way`);
    symlinkSync(`${folder}/roots/file`, `${folder}/anothers/end`);
    for (const way of ["way/file", "end"]) {
      expect(readForeignFile(`${folder}/anothers/${way}`, { ...limits, links: "trusted" })).toMatchObject({ text: "aim" });
    }
    chownSync(`${folder}/anothers`, planting, 0);
    for (const [way, part] of [
      ["way/file", "way"],
      ["end", "end"],
    ] as const) {
      const why = `"${part}" is a symbolic link that another user could have put there`;
      expect(readForeignFile(`${folder}/anothers/${way}`, { ...limits, links: "trusted" })).toEqual({ kind: "refused", why });
    }
    const refusing = { ...limits, links: "refuse" } as const;
    expect(readForeignFile(`${folder}/anothers/way/file`, refusing)).toMatchObject({ kind: "refused" });
    expect(readForeignFile(`${folder}/anothers/way/file`, limits)).toMatchObject({ text: "aim" });
  });

  test("is missing where it or a directory on the way is not there, or is a file", () => {
    writeFileSync(`${folder}/plain`, "");
    symlinkSync("nowhere", `${folder}/dangling`);
    for (const path of ["none", "none/below", "plain/below", "dangling", "dangling/below"]) {
      expect([path, readForeignFile(`${folder}/${path}`, limits)]).toEqual([path, { kind: "missing" }]);
    }
  });

  test("is not opened where it is a pipe, a directory or a device", () => {
    execFileSync("mkfifo", [`${folder}/pipe`]);
    expect(readForeignFile(`${folder}/pipe`, limits)).toEqual({ kind: "refused", why: "it is a named pipe" });
    expect(readForeignFile(folder, limits)).toEqual({ kind: "refused", why: "it is a directory" });
    expect(readForeignFile("/dev/zero", limits)).toEqual({ kind: "refused", why: "it is not a regular file" });
  });

  test("is not waited for where somebody has a lease on it", async () => {
    const path = `${folder}/leased`;
    writeFileSync(path, "aim");
    const why = "resource temporarily unavailable (EAGAIN)";
    expect(await underLease(path, () => readForeignFile(path, limits))).toEqual({ kind: "refused", why });
    expect(readForeignFile(path, limits)).toMatchObject({ kind: "read", text: "aim" });
  });

  test("stays the same though another is moved into its place before it is looked at", () => {
    writeFileSync(`${folder}/judged`, "judged");
    writeFileSync(`${folder}/swapped`, "swapped");
    const text = reach(`${folder}/judged`, "refuse", (place) => {
      renameSync(`${folder}/swapped`, `${folder}/judged`);
      return readFileSync(place, "utf8");
    });
    expect(text).toBe("judged");
  });

  test("leaves no file open, whatever came of it", () => {
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = open();
    for (const path of [folder, `${folder}/none`, "/proc/self/status", `${folder}/loop`]) readForeignFile(path, limits);
    expect(() =>
      reach(folder, "follow", () => {
        throw new Error("look");
      }),
    ).toThrow("look");
    expect(open()).toBe(before);
  });

  test("may lie on other mounts of root's", () => {
    expect(readForeignFile("/proc/self/comm", { ...limits, capBytes: 100 })).toMatchObject({ kind: "read" });
  });

  const missing = lacking();
  if (missing !== undefined) console.warn(`SKIPPED: a file system that another user serves: ${missing}`);
  test.skipIf(missing !== undefined)(
    "is not looked at where another user serves the file system, nor is anything on the way",
    () => {
      mkdirSync(`${folder}/home/silent`, { recursive: true });
      mkdirSync(`${folder}/etc`);
      symlinkSync(`${folder}/home/silent/schedule`, `${folder}/etc/schedule`);
      symlinkSync("../home/silent", `${folder}/etc/directory`);
      writeFileSync(`${folder}/home/plain`, "plain");
      const paths = [
        "home/silent",
        "home/silent/../plain",
        "home/silent/file",
        "etc/schedule",
        "etc/directory/file",
        "home/plain",
      ];
      const child = [process.execPath, `${import.meta.dirname}/below-silent-mount.ts`, `${folder}/home/silent`];
      const argv = ["--mount", "--propagation", "private", "--", ...child, ...paths.map((path) => `${folder}/${path}`)];
      const { looked, named } = JSON.parse(
        execFileSync("unshare", argv, { timeout: 20_000, killSignal: "SIGKILL", encoding: "utf8" }),
      ) as { readonly looked: unknown; readonly named: unknown };
      const point = `${folder}/home/silent`;
      const why = `it lies on ${point}, where user 1000 has mounted a file system of its own (fuse.silent), and only root's are entered; take it away: \`sudo umount --force --lazy ${point}\``;
      const barred = { reached: "barred", read: { kind: "refused", why } };
      expect(named).toBe("barred");
      expect(looked).toMatchObject([barred, barred, barred, barred, barred, { reached: "reached", read: { text: "plain" } }]);
    },
  );
});

test("the way is made free by one command, whatever the user has called the place", () => {
  const mount = { id: 1, device: "0:1", point: "/home/it's a trap", type: "fuse", isReadOnly: false, servedBy: 1000 };
  expect(wayFree({ kind: "barred", mount })).toBe(`sudo umount --force --lazy '/home/it'\\''s a trap'`);
});
