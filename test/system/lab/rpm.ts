import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { layOut, type PackageRecipe, type Relations } from "./package-recipe.ts";
import { mustRun } from "./program.ts";

/** Builds a package into a directory; the answer is the path of the .rpm, which is not signed. */
export async function buildRpm(directory: string, recipe: PackageRecipe): Promise<string> {
  await mkdir(directory, { recursive: true });
  const work = await mkdtemp(join(directory, "tree-"));
  try {
    const tree = join(work, "files");
    await mkdir(tree);
    await layOut(tree, recipe.files);
    const specFile = join(work, `${recipe.name}.spec`);
    await writeFile(specFile, specOf(recipe, tree));
    const defined = Object.entries({ ...definitions, _topdir: work });
    await mustRun([
      "rpmbuild",
      "--quiet",
      "-bb",
      ...defined.flatMap(([name, value]) => ["--define", `${name} ${value}`]),
      specFile,
    ]);
    const [built = ""] = (await readdir(join(work, "RPMS"), { recursive: true })).filter((name) => name.endsWith(".rpm"));
    const target = join(directory, basename(built));
    await copyFile(join(work, "RPMS", built), target);
    return target;
  } finally {
    await rm(work, { recursive: true });
  }
}

/** What the file name of a version is, up to the architecture. It carries no epoch. */
export function rpmFileStart(name: string, version: string): string {
  const { version: upstream, release } = rpmVersionOf(version);
  return `${name}-${upstream}-${release}.`;
}

/** The three parts of what rpm calls a version. */
function rpmVersionOf(text: string): { readonly epoch: string | undefined; readonly version: string; readonly release: string } {
  const {
    epoch,
    version = text,
    release = "1",
  } = /^(?:(?<epoch>\d+):)?(?<version>[^-]+)(?:-(?<release>[^-]+))?$/.exec(text)?.groups ?? {};
  return { epoch, version, release };
}

/** The files go in as they are; gzip's quickest is quick. */
const definitions = {
  __os_install_post: "%{nil}",
  _build_id_links: "none",
  debug_package: "%{nil}",
  _binary_payload: "w1.gzdio",
};

const sections = { preinst: "pre", postinst: "post", prerm: "preun", postrm: "postun" } as const;

function specOf(recipe: PackageRecipe, tree: string): string {
  const { epoch, version, release } = rpmVersionOf(recipe.version);
  const lines = [
    `Name: ${recipe.name}`,
    ...(epoch === undefined ? [] : [`Epoch: ${epoch}`]),
    `Version: ${version}`,
    `Release: ${release}`,
    `Summary: stand-in ${recipe.name}`,
    "License: none",
    "AutoReqProv: no",
    ...tagsOf(recipe).flatMap(([tag, related]) => related.map((relation) => `${tag}: ${inRpmsWords(relation)}`)),
    "%description",
    "%{summary}.",
    "%install",
    `cp -a ${tree}/. %{buildroot}/`,
    ...Object.entries(recipe.scripts ?? {}).flatMap(([script, text]) => [
      `%${sections[script as keyof typeof sections]}`,
      `set -e\n${text.replaceAll("%", "%%")}`,
    ]),
    "%files",
    ...Object.entries(recipe.files ?? {}).map(([path, { mode = 0o644 }]) =>
      [
        `%attr(${mode.toString(8)},root,root)`,
        ...(recipe.conffiles?.includes(path) === true ? ["%config(noreplace)"] : []),
        `"${path}"`,
      ].join(" "),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function tagsOf({
  depends,
  provides,
  conflicts = [],
  breaks = [],
  obsoletes,
}: Relations): readonly (readonly [string, readonly string[]])[] {
  const tags = { Requires: depends, Provides: provides, Conflicts: [...conflicts, ...breaks], Obsoletes: obsoletes };
  return Object.entries(tags).map(([tag, related = []]) => [tag, related]);
}

/** "svc-ent (<< 16)" is "svc-ent < 16" here. */
function inRpmsWords(related: string): string {
  return related.replace(/ \((<<|<=|=|>=|>>) (\S+)\)$/, (_, relation: string, version: string) => {
    return ` ${relation.replace("<<", "<").replace(">>", ">")} ${version}`;
  });
}
