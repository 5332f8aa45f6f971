import { stat } from "node:fs/promises";
import { join } from "node:path";
import { packageName } from "../../packaging/about.ts";
import { builtPackage } from "../system/built-package.ts";
import { runProgram } from "../system/lab/program.ts";

/** What the packages are built from. */
const sources: readonly string[] = ["src", "systemd", "packaging", "package-lock.json"];
/** What a play's end depends on beside that. */
const judges: readonly string[] = ["test", "package.json"];

/** What the work tree is at; what was changed since is no commit's. */
export async function commitUnderTest(): Promise<string> {
  const root = (await git(import.meta.dirname, "rev-parse", "--show-toplevel")).trim();
  await refuseOldPackage(root);
  const head = await git(root, "rev-parse", "--short=12", "HEAD");
  const changed = await git(root, "status", "--porcelain", "--", ...sources, ...judges);
  return `${head.trim()}${changed === "" ? "" : "+changed"}`;
}

/** What the hosts are given must be of that commit. */
async function refuseOldPackage(root: string): Promise<void> {
  const files = (await git(root, "ls-files", "-z", "--", ...sources)).split("\0").filter((file) => file !== "");
  const built = (await stat(await builtPackage(packageName, "deb"))).mtimeMs;
  for (const file of files) {
    const { mtimeMs } = await stat(join(root, file)).catch(() => ({ mtimeMs: 0 }));
    if (mtimeMs > built) throw new Error(`the packages in dist are older than ${file}: run \`npm run package\` first`);
  }
}

async function git(cwd: string, ...argv: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runProgram(["git", ...argv], { cwd });
  if (status !== 0) throw new Error(`the commit under test is not known: ${stderr.trim()}`);
  return stdout;
}
