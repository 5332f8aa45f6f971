import { renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { contents } from "../contents.ts";
import type { Product } from "../product.ts";
import { updater } from "../products/updater.ts";
import { buildDate, distFolder, projectRoot, versionOf, workFolder, type Architecture } from "../project.ts";
import type { Packing, TreeFile } from "../tree.ts";
import { buildRpm } from "./build.ts";
import { release, rpmArchitectures, rpmVersion } from "./spec.ts";

/** Builds dist/<package>-<version>-1.<architecture>.rpm; returns its path. */
export function makeRpm(architecture: Architecture, product: Product, packing: Packing): string {
  const version = versionOf(product.program);
  const work = resolve(workFolder(architecture, product.program), "rpm");
  rmSync(work, { recursive: true, force: true });
  const files = rpmContents(architecture, product);
  const facts = { product, version, unixSeconds: buildDate(), packing, files };
  const built = buildRpm(facts, architecture, work);
  const name = `${product.packageName}-${rpmVersion(version)}-${release}.${rpmArchitectures[architecture]}.rpm`;
  const finished = resolve(distFolder, name);
  renameSync(built, finished);
  rmSync(work, { recursive: true });
  return finished;
}

/** The files of an rpm package, by default of the updater's. */
export function rpmContents(architecture: Architecture, product: Product = updater): readonly TreeFile[] {
  const licences = `usr/share/licenses/${product.packageName}`;
  return [
    ...contents(product, architecture, { zshCompletions: "usr/share/zsh/site-functions", licences }),
    { to: `${licences}/LICENSE`, from: resolve(projectRoot, "LICENSE") },
  ];
}
