import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { layOut, type PackageRecipe, type Relations } from "./package-recipe.ts";
import { mustRun } from "./program.ts";

/** Builds a package into a directory; the answer is the path of the .deb. */
export async function buildDeb(directory: string, deb: PackageRecipe): Promise<string> {
  await mkdir(directory, { recursive: true });
  const tree = await mkdtemp(join(directory, "tree-"));
  try {
    // mkdtemp makes 0700, and the package's root directory would carry that into the host's own.
    await chmod(tree, 0o755);
    await layOut(tree, deb.files);
    await mkdir(join(tree, "DEBIAN"));
    const architecture = await debArchitecture();
    await writeFile(join(tree, "DEBIAN/control"), control(deb, architecture));
    if (deb.conffiles !== undefined)
      await writeFile(join(tree, "DEBIAN/conffiles"), deb.conffiles.map((path) => `${path}\n`).join(""));
    for (const [script, text] of Object.entries(deb.scripts ?? {})) {
      await writeFile(join(tree, "DEBIAN", script), `#!/bin/sh\nset -e\n${text}`, { mode: 0o755 });
    }
    const target = join(directory, `${debFileStart(deb.name, deb.version)}${architecture}.deb`);
    await mustRun(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, target]);
    return target;
  } finally {
    await rm(tree, { recursive: true });
  }
}

/** What the file name of a version is, up to the architecture. It carries no epoch. */
export function debFileStart(name: string, version: string): string {
  return `${name}_${version.replace(/^\d+:/, "")}_`;
}

/** Bases are made for the machine's own architecture. */
export async function debArchitecture(): Promise<string> {
  return (await mustRun(["dpkg", "--print-architecture"])).trim();
}

function control(deb: PackageRecipe, architecture: string): string {
  const fields = [
    `Package: ${deb.name}`,
    `Version: ${deb.version}`,
    `Architecture: ${architecture}`,
    "Maintainer: Lab <lab@outer.test>",
    ...fieldsOf(deb).map(([field, related]) => `${field}: ${related.join(", ")}`),
    `Description: stand-in ${deb.name}`,
  ];
  return `${fields.join("\n")}\n`;
}

function fieldsOf({ obsoletes = [], ...deb }: Relations): readonly (readonly [string, readonly string[]])[] {
  const fields = {
    Depends: deb.depends ?? [],
    Provides: [...(deb.provides ?? []), ...obsoletes.map((obsolete) => obsolete.replace(/ .*/, ""))],
    Conflicts: [...(deb.conflicts ?? []), ...obsoletes],
    Breaks: deb.breaks ?? [],
    Replaces: [...(deb.replaces ?? []), ...obsoletes],
  };
  return Object.entries(fields).filter(([, related]) => related.length > 0);
}
