import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The release that reads no word but its own; hosts run it, and every later one has to get on with it. */
export const firstRelease = "c787860028e82c0b98f9174e0e821574f53b40fa";

const projectRoot = resolve(import.meta.dirname, "../..");

/** Why it cannot be had: an unpacked archive and a shallow clone lack the history. */
export function missingHistory(): string | undefined {
  const { status } = spawnSync("git", ["cat-file", "-e", `${firstRelease}^{commit}`], { cwd: projectRoot, stdio: "ignore" });
  return status === 0 ? undefined : `the commit ${firstRelease} of the first release is not in this clone: git fetch --unshallow`;
}

/** Its whole tree with today's dependencies, taken from the history once on a machine. */
export function firstReleaseTree(): string {
  const cache = process.env["SVC_UPGRADE_LAB_CACHE"] ?? join(tmpdir(), "svc-upgrade-lab-cache");
  const folder = join(cache, "first-release");
  const tree = join(folder, firstRelease);
  if (existsSync(tree)) return withDependencies(tree);
  mkdirSync(folder, { recursive: true });
  const half = mkdtempSync(`${tree}.half-`);
  const archive = execFileSync("git", ["archive", firstRelease], { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 });
  execFileSync("tar", ["--extract", "--directory", half], { input: archive });
  try {
    renameSync(withDependencies(half), tree);
  } catch (thrown) {
    // Another run was as fast.
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(tree)) throw thrown;
  }
  return tree;
}

/** Of this checkout: the one that took the tree from the history may be gone. */
function withDependencies(tree: string): string {
  const link = join(tree, "node_modules");
  if (existsSync(link)) return tree;
  rmSync(link, { force: true });
  symlinkSync(join(projectRoot, "node_modules"), link);
  return tree;
}
