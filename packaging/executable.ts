import { chmodSync, copyFileSync, mkdirSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { spawnSync } from "node:child_process";
import { makeBlob } from "./blob.ts";
import type { Bundle } from "./bundle.ts";
import type { Runner } from "./code-cache.ts";
import type { Architecture, ProgramName } from "./project.ts";
import { executablePath, nativeArchitecture, projectRoot, projectVersion, workFolder } from "./project.ts";
import { runtimeFolder } from "./runtime.ts";
import { firstTool, runTool } from "./tool.ts";

/** The name and the mark under which the runtime looks for a program inside of itself. */
const resourceName = "NODE_SEA_BLOB";
const sentinelFuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** The runtime and the bundle in one file. */
export function makeExecutable(name: ProgramName, architecture: Architecture, program: Bundle): void {
  const work = workFolder(architecture, name);
  mkdirSync(work, { recursive: true });
  const runtime = resolve(runtimeFolder(nativeArchitecture), "bin/node");
  const blob = makeBlob(program, { name, runtime, runner: runnerOf(architecture), work });
  const unfinished = resolve(work, name);
  copyFileSync(resolve(runtimeFolder(architecture), "bin/node"), unfinished);
  chmodSync(unfinished, 0o755);
  strip(architecture, unfinished);
  const postject = resolve(projectRoot, "node_modules/.bin/postject");
  runTool([postject, unfinished, resourceName, blob, "--sentinel-fuse", sentinelFuse]);
  if (architecture === nativeArchitecture) checkRuns(unfinished);
  renameSync(unfinished, executablePath(architecture, name));
}

/** Undefined: no program of that architecture can be run here. */
function runnerOf(architecture: Architecture): Runner | undefined {
  return architecture === nativeArchitecture ? [resolve(runtimeFolder(architecture), "bin/node")] : undefined;
}

/** Before the injection, never after it: a runtime that is stripped afterwards crashes at its start. */
function strip(architecture: Architecture, file: string): void {
  const triplet = architecture === "amd64" ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
  const tool = firstTool([`${triplet}-strip`, "llvm-strip"], `install binutils-${triplet.replaceAll("_", "-")}`);
  runTool([tool, file]);
}

/** A code cache that the runtime refuses is a warning on stderr, and twice the time at every start. */
function checkRuns(file: string): void {
  const { stdout, stderr } = spawnSync(file, ["version"], { encoding: "utf8", timeout: 30_000 });
  if (!stdout.includes(projectVersion) || stderr !== "") {
    throw new Error(`${file} does not start as it should: it printed "${stdout.trim()}" and "${stderr.trim()}"`);
  }
}
