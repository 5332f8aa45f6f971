import { chmodSync, copyFileSync, mkdirSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { spawnSync } from "node:child_process";
import { makeBlob } from "./blob.ts";
import type { Bundle } from "./bundle.ts";
import { emulation } from "./emulation.ts";
import type { Architecture, ProgramName } from "./project.ts";
import { executablePath, projectRoot, versionOf, workFolder } from "./project.ts";
import { runtimeFolder } from "./runtime.ts";
import { firstTool, runTool } from "./tool.ts";

/** The name and the mark by which the runtime finds a program inside its own file. */
const resourceName = "NODE_SEA_BLOB";
const sentinelFuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Puts the bundle into a copy of the runtime, which is then one executable file. */
export function makeExecutable(name: ProgramName, architecture: Architecture, program: Bundle): void {
  const work = workFolder(architecture, name);
  mkdirSync(work, { recursive: true });
  const runtime = resolve(runtimeFolder(architecture), "bin/node");
  const emulated = emulation(architecture);
  const blob = makeBlob(program, { name, runner: [...emulated, runtime], work });
  const unfinished = resolve(work, name);
  copyFileSync(runtime, unfinished);
  chmodSync(unfinished, 0o755);
  strip(architecture, unfinished);
  const postject = resolve(projectRoot, "node_modules/.bin/postject");
  runTool([postject, unfinished, resourceName, blob, "--sentinel-fuse", sentinelFuse]);
  checkRuns([...emulated, unfinished], versionOf(name));
  renameSync(unfinished, executablePath(architecture, name));
}

/** Strips the runtime, but only before the bundle is added: afterwards it would crash at its start. */
function strip(architecture: Architecture, file: string): void {
  const triplet = architecture === "amd64" ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
  const tool = firstTool([`${triplet}-strip`, "llvm-strip"], `install binutils-${triplet.replaceAll("_", "-")}`);
  runTool([tool, file]);
}

/** Checks that the runtime accepts the code cache: otherwise it warns on stderr and takes twice the time at every start. */
function checkRuns([program = "", ...rest]: readonly string[], version: string): void {
  const { PATH } = process.env;
  const { stdout, stderr } = spawnSync(program, [...rest, "version"], { encoding: "utf8", timeout: 60_000, env: { PATH } });
  if (!stdout.includes(version) || stderr !== "") {
    throw new Error(
      `${[program, ...rest].join(" ")} does not start as it should: it printed "${stdout.trim()}" and "${stderr.trim()}"`,
    );
  }
}
