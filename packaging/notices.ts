import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { distFolder, nativeArchitecture, type ProgramName } from "./project.ts";
import { runtimeFolder } from "./runtime.ts";

export function noticesPath(program: ProgramName): string {
  return resolve(distFolder, `${program}-third-party-notices`);
}

/** The licences of everything in the executable: the runtime, and the packages of the bundle. */
export function writeNotices(program: ProgramName, packages: readonly string[]): void {
  // Writes under a name of this process first, because both architectures may be built at the same time. Their results are equal.
  const unfinished = `${noticesPath(program)}.${process.pid}`;
  writeFileSync(unfinished, noticesOf([runtimeFolder(nativeArchitecture), ...packages]));
  renameSync(unfinished, noticesPath(program));
}

/** The licences of the packages in these folders. */
export function noticesOf(folders: readonly string[]): string {
  return folders.map(notice).join("\n\n");
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(resolve(folder, "package.json"), "utf8")) as Record<string, string>;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(basename(file)));
  const texts = files.toSorted().map((file) => readFileSync(resolve(folder, file), "utf8").trim());
  return [`==== ${name} ${version} (${license}) ====`, ...texts].join("\n\n");
}
