import type { TestProject } from "vitest/node";
import { startControlPlane } from "./control-plane.ts";
import type { Lab } from "./kubectl.ts";
import { missingForLab, programsFolder } from "./programs.ts";

declare module "vitest" {
  interface ProvidedContext {
    kubeLab: Lab | undefined;
  }
}

/** Starts one control plane for all tests, or says why there is none. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const missing = await missingForLab();
  if (missing !== undefined) {
    console.error(`\n*** SKIPPED ***\n${missing}\n`);
    return undefined;
  }
  const { stop, broken: _, signal: __, ...lab } = await startControlPlane(await programsFolder());
  project.provide("kubeLab", lab);
  return stop;
}
