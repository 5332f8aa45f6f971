import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { bundle } from "./bundle.ts";
import { makeExecutable } from "./executable.ts";
import { writeNotices } from "./notices.ts";
import type { Architecture } from "./project.ts";
import { distFolder, executablePath, projectRoot } from "./project.ts";

/** Builds the program once, and an executable around it for each architecture. */
export async function buildExecutables(architectures: readonly Architecture[]): Promise<void> {
  mkdirSync(distFolder, { recursive: true });
  const program = await bundle(resolve(projectRoot, "src/svc-upgrade.ts"));
  writeNotices(program.packages);
  for (const architecture of architectures) {
    makeExecutable(architecture, program);
    console.log(executablePath(architecture));
  }
}
