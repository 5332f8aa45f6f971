import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { bundle } from "./bundle.ts";
import { makeExecutable } from "./executable.ts";
import { writeBillOfMaterials } from "./bill-of-materials.ts";
import { writeNotices } from "./notices.ts";
import { quietParts } from "./parts.ts";
import type { Architecture, ProgramName } from "./project.ts";
import { distFolder, executablePath, projectRoot, versionOf } from "./project.ts";

/** Builds each program once, and from it an executable for each architecture. */
export async function buildExecutables(programs: readonly ProgramName[], architectures: readonly Architecture[]): Promise<void> {
  mkdirSync(distFolder, { recursive: true });
  for (const name of programs) {
    const program = await bundle(resolve(projectRoot, "src", `${name}.ts`), quietParts[name], versionOf(name));
    writeNotices(name, program.packages);
    for (const architecture of architectures) {
      makeExecutable(name, architecture, program);
      writeBillOfMaterials(name, architecture, program.packages);
      console.log(executablePath(architecture, name));
    }
  }
}
