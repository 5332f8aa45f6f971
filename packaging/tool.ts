import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";

/** Longer than xz needs for a hundred megabytes on a slow machine, and longer than any download here. */
const longestMs = 10 * 60_000;

/** Runs a tool to its end. The message of a failure contains the tool's output. */
export function runTool(argv: readonly [string, ...string[]], cwd?: string): string {
  const [program, ...rest] = argv;
  try {
    return execFileSync(program, rest, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: longestMs,
      ...(cwd && { cwd }),
    });
  } catch (cause) {
    throw new Error(`${argv.join(" ")} failed: ${told(cause)}`, { cause });
  }
}

/** The first of these programs in PATH. */
export function firstTool(programs: readonly string[], hint: string): string {
  const found = programs.find(isInPath);
  if (found === undefined) throw new Error(`none of ${programs.join(", ")} is installed: ${hint}`);
  return found;
}

export function isInPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => isExecutable(`${folder}/${program}`));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function told(cause: unknown): string {
  const failure = cause as { readonly stderr?: string; readonly message?: string };
  return failure.stderr?.trim() || failure.message || "for an unknown reason";
}
