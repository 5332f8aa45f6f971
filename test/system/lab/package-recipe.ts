import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export type PackageFile = { readonly content: string | { readonly file: string }; readonly mode?: number };

/** A package to build, told the same for every format; the words are Debian's where the formats differ. */
export type PackageRecipe = {
  readonly name: string;
  /** As the repository has it: epoch, `~rc.1` and revision or release included; an rpm without a release gets 1. */
  readonly version: string;
  readonly files?: Readonly<Record<string, PackageFile>>;
  /** Those of the files that are an admin's to edit. */
  readonly conffiles?: readonly string[];
  /** As `NAME` or `NAME (<< VERSION)`. */
  readonly depends?: readonly string[];
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
