import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { mustRun } from "./program.ts";

export type DebFile = { readonly content: string | { readonly file: string }; readonly mode?: number };

export type Deb = {
  readonly name: string;
  /** A package version as the repository has it: epoch, `~rc.1` and revision included. */
  readonly version: string;
  readonly files?: Readonly<Record<string, DebFile>>;
  /** Those of the files that are an admin's to edit. */
  readonly conffiles?: readonly string[];
  readonly depends?: readonly string[];
  readonly scripts?: Readonly<Partial<Record<"preinst" | "postinst" | "prerm" | "postrm", string>>>;
};

/** Builds a package into a directory; the answer is the path of the .deb. */
export async function buildDeb(directory: string, deb: Deb): Promise<string> {
  await mkdir(directory, { recursive: true });
  const tree = await mkdtemp(join(directory, "tree-"));
  try {
    // mkdtemp makes 0700, and the package's root directory would carry that into the host's own.
    await chmod(tree, 0o755);
    for (const [path, { content, mode = 0o644 }] of Object.entries(deb.files ?? {})) {
      const file = join(tree, path);
      await mkdir(dirname(file), { recursive: true });
      if (typeof content === "string") await writeFile(file, content);
      else await copyFile(content.file, file);
      await chmod(file, mode);
    }
    await mkdir(join(tree, "DEBIAN"));
    const architecture = await debArchitecture();
    await writeFile(join(tree, "DEBIAN/control"), control(deb, architecture));
    if (deb.conffiles !== undefined)
      await writeFile(join(tree, "DEBIAN/conffiles"), deb.conffiles.map((path) => `${path}\n`).join(""));
    for (const [script, text] of Object.entries(deb.scripts ?? {})) {
      await writeFile(join(tree, "DEBIAN", script), `#!/bin/sh\nset -e\n${text}`, { mode: 0o755 });
    }
    // A file name carries no epoch.
    const target = join(directory, `${deb.name}_${deb.version.replace(/^\d+:/, "")}_${architecture}.deb`);
    await mustRun(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, target]);
    return target;
  } finally {
    await rm(tree, { recursive: true });
  }
}

/** Bases are made for the machine's own architecture. */
export async function debArchitecture(): Promise<string> {
  return (await mustRun(["dpkg", "--print-architecture"])).trim();
}

function control(deb: Deb, architecture: string): string {
  const fields = [
    `Package: ${deb.name}`,
    `Version: ${deb.version}`,
    `Architecture: ${architecture}`,
    "Maintainer: Lab <lab@outer.test>",
    ...(deb.depends === undefined ? [] : [`Depends: ${deb.depends.join(", ")}`]),
    `Description: stand-in ${deb.name}`,
  ];
  return `${fields.join("\n")}\n`;
}
