import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageRecipe } from "../system/lab/package-recipe.ts";
import { buildPackage } from "../system/lab/package.ts";
import { mustRun } from "../system/lab/program.ts";
import type { Stage } from "./stage.ts";

type Named = Pick<PackageRecipe, "name" | "version">;

/** Publishes a package that the repository's signed list calls another one, as a list does that was written by hand. */
export async function publishAs(stage: Stage, recipe: PackageRecipe, as: Named): Promise<void> {
  const { host, repository } = stage;
  await repository.publish(await buildPackage(host, recipe));
  const tree = join(host.directory, "repository-svc", "tree");
  const keys = join(host.directory, "repository-svc", "keys");
  await (host.family === "apt" ? relabelDeb : relabelRpm)({ tree, keys, is: recipe, as });
}

type Relabelling = { readonly tree: string; readonly keys: string; readonly is: Named; readonly as: Named };

async function relabelDeb({ tree, keys, is, as }: Relabelling): Promise<void> {
  const folder = join(tree, "dists/stable");
  const [list = ""] = (await mustRun(["find", folder, "-name", "Packages"])).trim().split("\n");
  const text = await readFile(list, "utf8");
  const paragraphs = text
    .split("\n\n")
    .map((paragraph) =>
      paragraph.startsWith(`Package: ${is.name}\n`)
        ? paragraph.replace(`Package: ${is.name}`, `Package: ${as.name}`).replace(/^Version: .*$/m, `Version: ${as.version}`)
        : paragraph,
    );
  await writeFile(list, paragraphs.join("\n\n"));
  const release = join(folder, "Release");
  const head = (await readFile(release, "utf8")).split(/^MD5Sum:/m)[0] ?? "";
  const sums = await mustRun(["apt-ftparchive", "release", "."], { cwd: folder });
  await writeFile(release, `${head}${sums.slice(sums.indexOf("MD5Sum:"))}`);
  await sign(keys, ["--output", join(folder, "InRelease"), "--clearsign", release]);
}

async function relabelRpm({ tree, keys, is, as }: Relabelling): Promise<void> {
  const folder = join(tree, "repodata");
  const [version = "", release = "1"] = as.version.split("-");
  for (const kind of ["primary", "filelists", "other"]) {
    const [packed = ""] = (await mustRun(["find", folder, "-name", `*${kind}.xml.gz`])).trim().split("\n");
    const list = join(tree, `${kind}.xml`);
    const text = await mustRun(["zcat", packed]);
    const entries = text.split(/(?=<package )/).map((entry) =>
      entry.includes(`<name>${is.name}</name>`) || entry.includes(` name="${is.name}"`)
        ? entry
            .replaceAll(`<name>${is.name}</name>`, `<name>${as.name}</name>`)
            .replaceAll(` name="${is.name}"`, ` name="${as.name}"`)
            .replaceAll(/ ver="[^"]*" rel="[^"]*"/g, ` ver="${version}" rel="${release}"`)
        : entry,
    );
    await writeFile(list, entries.join(""));
    await mustRun(["modifyrepo_c", `--mdtype=${kind}`, "--compress-type=gz", list, folder]);
  }
  const index = join(folder, "repomd.xml");
  await sign(keys, ["--armor", "--output", `${index}.asc`, "--detach-sign", index]);
}

async function sign(keys: string, options: readonly string[]): Promise<void> {
  await mustRun(["gpg", "--homedir", keys, "--batch", "--yes", "--quiet", "--local-user", "trusted@outer.test", ...options]);
}
