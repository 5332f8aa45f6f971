import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageName } from "../../packaging/about.ts";
import { nativeArchitecture, type Format } from "../../packaging/project.ts";
import { release, rpmArchitectures } from "../../packaging/rpm/spec.ts";
import { oneAtATime } from "../system/lab/one-at-a-time.ts";
import { mustRun } from "../system/lab/program.ts";
import { firstReleaseTree } from "./source.ts";

/** It had the number that today's still has: a package manager would see no difference. */
export const firstVersion = "0.0.9";

/** The bundler and the packer of one program for one machine. */
const longestBuildMs = 600_000;

/** Its package, built by its own tree, once on a machine. */
export async function firstReleasePackage(format: Format): Promise<string> {
  const tree = firstReleaseTree();
  const path = join(tree, "dist", names[format]);
  if (existsSync(path)) return path;
  return oneAtATime(`${tree}.lock`, async () => {
    if (existsSync(path)) return path;
    const manifest = join(tree, "package.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"version": "[^"]*"/, `"version": "${firstVersion}"`));
    // What npm tells the script that started this is not for the other tree's.
    const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
    await mustRun(["npm", "run", "--silent", "package", "--", "svc-upgrade", nativeArchitecture, format, "quick"], {
      cwd: tree,
      env: { ...Object.fromEntries(environment), SOURCE_DATE_EPOCH: "1795000000" },
      timeoutMs: longestBuildMs,
    });
    return path;
  });
}

const names: Readonly<Record<Format, string>> = {
  deb: `${packageName}_${firstVersion}_${nativeArchitecture}.deb`,
  rpm: `${packageName}-${firstVersion}-${release}.${rpmArchitectures[nativeArchitecture]}.rpm`,
};
