import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export type PackageFile = { readonly content: string | { readonly file: string }; readonly mode?: number };

/**
 * What a package says of others, each as `NAME` or `NAME (<< VERSION)`. An rpm has no Breaks: it conflicts with what it breaks; and
 * none of the Replaces that let a package take over files of another. A deb obsoletes what it conflicts with, replaces and provides.
 */
export type Relations = Readonly<Partial<Record<(typeof relations)[number], readonly string[]>>>;

const relations = ["depends", "provides", "conflicts", "breaks", "replaces", "obsoletes"] as const;

/** Those of what is told of a package. */
export function relationsOf(told: Relations): Relations {
  return Object.fromEntries(relations.filter((name) => told[name] !== undefined).map((name) => [name, told[name]]));
}

/** A package to build, told the same for every format; the words are Debian's where the formats differ. */
export type PackageRecipe = Relations & {
  readonly name: string;
  /** As the repository has it: epoch, `~rc.1` and revision or release included; an rpm without a release gets 1. */
  readonly version: string;
  readonly files?: Readonly<Record<string, PackageFile>>;
  /** Those of the files that are an admin's to edit. */
  readonly conffiles?: readonly string[];
  /** Shell, ended by the first command that fails; the first argument is what the format's own manager gives. */
  readonly scripts?: Readonly<Partial<Record<"preinst" | "postinst" | "prerm" | "postrm", string>>>;
};

/** Lays the package's files out below a directory. */
export async function layOut(tree: string, files: PackageRecipe["files"] = {}): Promise<void> {
  for (const [path, { content, mode = 0o644 }] of Object.entries(files)) {
    const file = join(tree, path);
    await mkdir(dirname(file), { recursive: true });
    if (typeof content === "string") await writeFile(file, content);
    else await copyFile(content.file, file);
    await chmod(file, mode);
  }
}
