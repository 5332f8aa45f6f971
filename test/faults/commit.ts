import { runProgram } from "../system/lab/program.ts";

/** What goes into the packages, and what judges them. */
const matters: readonly string[] = ["src", "systemd", "packaging", "test", "package.json", "package-lock.json"];

/** What the work tree is at; what was changed since is no commit's. */
export async function commitUnderTest(): Promise<string> {
  const cwd = import.meta.dirname;
  const head = await runProgram(["git", "rev-parse", "--short=12", "HEAD"], { cwd });
  if (head.status !== 0) throw new Error(`the commit under test is not known: ${head.stderr.trim()}`);
  const root = await runProgram(["git", "rev-parse", "--show-toplevel"], { cwd });
  const changed = await runProgram(["git", "status", "--porcelain", "--", ...matters], { cwd: root.stdout.trim() });
  return `${head.stdout.trim()}${changed.stdout === "" ? "" : "+changed"}`;
}
