import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildDate, nativeArchitecture } from "../../packaging/project.ts";
import { buildRpm } from "../../packaging/rpm/build.ts";
import { rpmContents } from "../../packaging/rpm/package.ts";
import { mustRun } from "./lab/program.ts";
import { updaterPackage } from "./updater.ts";

export const newerVersion = "9.0.0";

/** The updater's package again, with the same files and a higher version; made in an empty folder. */
export const newerPackage = { deb: newerDeb, rpm: newerRpm };

async function newerDeb(folder: string): Promise<string> {
  const tree = join(folder, "tree");
  await mustRun(["dpkg-deb", "--raw-extract", await updaterPackage("deb"), tree]);
  const control = join(tree, "DEBIAN/control");
  await writeFile(control, (await readFile(control, "utf8")).replace(/^Version: .*$/m, `Version: ${newerVersion}`));
  const built = join(folder, "newer.deb");
  await mustRun(["dpkg-deb", "-Zgzip", "-z1", "--build", tree, built]);
  return built;
}

async function newerRpm(folder: string): Promise<string> {
  const files = rpmContents(nativeArchitecture);
  const facts = { version: newerVersion, unixSeconds: buildDate(), packing: "loose", files } as const;
  return buildRpm(facts, nativeArchitecture, folder);
}
