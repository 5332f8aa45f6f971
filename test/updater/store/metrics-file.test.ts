import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { writeMetrics } from "../../../src/updater/pass/measure.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const isRoot = process.getuid?.() === 0;

function hintOf(path: string): string {
  try {
    writeMetrics(path, "text", "/");
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.hint;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

function hintFor(path: string): string {
  const directory = path.replace(/\/[^/]*$/, "");
  const own = "/var/lib/svc-upgrade/metrics.prom";
  return `the user svc-upgrade may not write there: set \`metrics_file: ${own}\` and lead the collector there: \`sudo mkdir -p ${directory} && sudo ln -sf ${own} ${path}\``;
}

describe("the metrics file", () => {
  test("is readable by everyone, and nothing lies beside it", () => {
    mkdirSync(`${folder}/whole`);
    for (const text of ["first\n", "second\n"]) writeMetrics(`${folder}/whole/svc.prom`, text, "/");
    expect(readFileSync(`${folder}/whole/svc.prom`, "utf8")).toBe("second\n");
    expect(statSync(`${folder}/whole/svc.prom`).mode & 0o777).toBe(0o644);
    expect(readdirSync(`${folder}/whole`)).toEqual(["svc.prom"]);
  });

  test("takes the place of a link that somebody put there, and of one in the place of its half", () => {
    mkdirSync(`${folder}/links`);
    for (const victim of ["shadow", "passwd"]) writeFileSync(`${folder}/${victim}`, "untouched");
    symlinkSync("../shadow", `${folder}/links/svc.prom`);
    symlinkSync("../passwd", `${folder}/links/.svc.prom.${process.pid}.tmp`);
    writeMetrics(`${folder}/links/svc.prom`, "own\n", "/");
    expect(readFileSync(`${folder}/links/svc.prom`, "utf8")).toBe("own\n");
    for (const victim of ["shadow", "passwd"]) expect(readFileSync(`${folder}/${victim}`, "utf8")).toBe("untouched");
  });

  test("in a directory that is not there leads to the place that always works", () => {
    expect(hintOf(`${folder}/nowhere/svc.prom`)).toBe(hintFor(`${folder}/nowhere/svc.prom`));
  });

  test.runIf(isRoot)("in a directory of somebody else leads there too", () => {
    mkdirSync(`${folder}/roots`, { mode: 0o755 });
    chmodSync(folder, 0o755);
    process.seteuid?.(65_534);
    try {
      expect(hintOf(`${folder}/roots/svc.prom`)).toBe(hintFor(`${folder}/roots/svc.prom`));
    } finally {
      process.seteuid?.(0);
    }
  });

  test.runIf(isRoot)("on a disk that is read-only leads there, on a full one to room", () => {
    const disk = `${folder}/disk`;
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]);
    try {
      writeFileSync(`${disk}/big`, "n".repeat(65_536));
      expect(hintOf(`${disk}/svc.prom`)).toContain(`df -h ${disk}`);
      execFileSync("mount", ["-o", "remount,ro", disk]);
      expect(hintOf(`${disk}/svc.prom`)).toBe(hintFor(`${disk}/svc.prom`));
    } finally {
      execFileSync("umount", [disk]);
    }
  });

  test.skipIf(existsSync("/var/lib/svc-upgrade-decide"))("that fails in that place is not led there", () => {
    expect(hintOf("/var/lib/svc-upgrade-decide/metrics.prom")).toContain("`sudo mkdir -p /var/lib/svc-upgrade-decide`");
  });
});
