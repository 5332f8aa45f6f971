import { renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { packageName } from "../about.ts";
import { contents } from "../contents.ts";
import { buildDate, distFolder, projectRoot, projectVersion, type Architecture } from "../project.ts";
import type { TreeFile } from "../tree.ts";
import { buildRpm } from "./build.ts";
import { release, rpmArchitectures, rpmVersion } from "./spec.ts";

/** Builds dist/svc-ent-updater-<version>-1.<architecture>.rpm; gives its path. */
export function makeRpm(architecture: Architecture): string {
  const work = resolve(distFolder, "work", architecture, "rpm");
  rmSync(work, { recursive: true, force: true });
  const facts = { version: projectVersion, unixSeconds: buildDate(), files: rpmContents(architecture) };
  const built = buildRpm(facts, architecture, work);
  const name = `${packageName}-${rpmVersion(projectVersion)}-${release}.${rpmArchitectures[architecture]}.rpm`;
  const finished = resolve(distFolder, name);
  renameSync(built, finished);
  rmSync(work, { recursive: true });
  return finished;
}

export function rpmContents(architecture: Architecture): readonly TreeFile[] {
  const licences = `usr/share/licenses/${packageName}`;
  return [
    ...contents(architecture, { zshCompletions: "usr/share/zsh/site-functions", licences }),
    { to: `${licences}/LICENSE`, from: resolve(projectRoot, "LICENSE") },
  ];
}
