import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";

const exec = promisify(execFile);

/** A package to build: its name, its version, and more lines of its control file. */
export type Built = {
  readonly name: string;
  readonly version: string;
  readonly control?: string;
  readonly preinst?: string;
  readonly postinst?: string;
  /** What other packages may do that makes this one's postinst run. */
  readonly triggers?: string;
  /** How many files it has besides. */
  readonly files?: number;
  /** What its configuration file /etc/NAME.conf says. */
  readonly configuration?: string;
  /** More files that it has, by their whole paths. */
  readonly paths?: readonly string[];
};

/** Repositories and roots in a directory of its own, gone at the end. */
export type Scratch = {
  readonly directory: string;
  /** A file: repository of these packages. Called again with the same name, it is replaced. */
  readonly repository: (name: string, packages: readonly Built[]) => Promise<string>;
  /** A root that apt can work below, with these source files. */
  readonly root: (name: string, sources: Readonly<Record<string, string>>) => Promise<string>;
  readonly remove: () => Promise<void>;
};

const tools = ["dpkg-deb", "apt-ftparchive", "apt-get", "dpkg"];

/** What is missing for these tests, in words, after a warning; undefined: nothing. */
export function missingTools(): string | undefined {
  const missing = missingForApt();
  if (missing !== undefined) console.warn(`SKIPPED: the tests with the real apt and dpkg: ${missing}`);
  return missing;
}

function missingForApt(): string | undefined {
  const missing = tools.filter((tool) => spawnSync(tool, ["--version"]).error !== undefined);
  if (missing.length > 0) return `${missing.join(", ")} not installed (apt-utils and dpkg on Debian)`;
  if (process.getuid?.() !== 0 && spawnSync("unshare", ["-r", "true"]).status !== 0) return "neither root nor a user namespace";
  return undefined;
}

/** Root works as itself; everybody else as root of a user namespace. */
export const asRoot: readonly string[] = process.getuid?.() === 0 ? [] : ["unshare", "-r"];

/** The scratch of a file's tests, with a repository of these packages where the tools are there; gone with the tests. */
export async function scratchWith(
  packages: readonly Built[],
): Promise<{ readonly scratch: Scratch; readonly repository: string }> {
  const scratch = await makeScratch();
  afterAll(() => scratch.remove());
  return { scratch, repository: missingForApt() === undefined ? await scratch.repository("stock", packages) : "" };
}

export async function makeScratch(): Promise<Scratch> {
  const directory = await mkdtemp(join(tmpdir(), "svc-upgrade-apt-"));
  const cache = join(directory, "built");
  await mkdir(cache);
  return {
    directory,
    repository: async (name, packages) => {
      const path = join(directory, name);
      await rm(path, { recursive: true, force: true });
      await mkdir(path);
      for (const built of packages) await cp(await build(cache, built), join(path, fileName(built)));
      await index(path);
      return path;
    },
    root: (name, sources) => makeRoot(join(directory, name), sources),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** apt-ftparchive writes what apt reads; without a signature, so the source has to say that it is trusted. */
async function index(path: string): Promise<void> {
  const packages = await exec("apt-ftparchive", ["packages", "."], { cwd: path });
  await writeFile(join(path, "Packages"), packages.stdout);
  await rm(join(path, "Release"), { force: true });
  const release = await exec("apt-ftparchive", ["release", "."], { cwd: path });
  await writeFile(join(path, "Release"), release.stdout);
}

async function build(
  cache: string,
  { name, version, control, preinst, postinst, triggers, files = 0, configuration, paths = [] }: Built,
): Promise<string> {
  const tree = await mkdtemp(join(cache, "tree-"));
  await mkdir(join(tree, "DEBIAN"));
  await mkdir(join(tree, "usr/share", name), { recursive: true });
  await writeFile(join(tree, "usr/share", name, "version"), `${version}\n`);
  for (let file = 1; file <= files; file += 1) await writeFile(join(tree, "usr/share", name, `file-${file}`), `${version}\n`);
  if (configuration !== undefined) {
    await mkdir(join(tree, "etc"));
    await writeFile(join(tree, `etc/${name}.conf`), configuration);
    await writeFile(join(tree, "DEBIAN/conffiles"), `/etc/${name}.conf\n`);
  }
  for (const path of paths) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), `${name}\n`);
  }
  const fields = [`Package: ${name}`, `Version: ${version}`, "Architecture: all", "Maintainer: Test <test@example.com>"];
  const more = control === undefined ? [] : [control];
  await writeFile(join(tree, "DEBIAN/control"), `${[...fields, ...more, "Description: for a test"].join("\n")}\n`);
  if (preinst !== undefined) await writeFile(join(tree, "DEBIAN/preinst"), preinst, { mode: 0o755 });
  if (postinst !== undefined) await writeFile(join(tree, "DEBIAN/postinst"), postinst, { mode: 0o755 });
  if (triggers !== undefined) await writeFile(join(tree, "DEBIAN/triggers"), `${triggers}\n`);
  const file = `${tree}.deb`;
  await exec("dpkg-deb", ["--root-owner-group", "-Znone", "-b", tree, file]);
  return file;
}

export function fileName({ name, version }: Built): string {
  return `${name}_${version.replace(/^\d+:/, "")}_all.deb`;
}

async function makeRoot(root: string, sources: Readonly<Record<string, string>>): Promise<string> {
  const directories = [
    "etc/apt/sources.list.d",
    "etc/apt/preferences.d",
    "etc/apt/trusted.gpg.d",
    "var/lib/dpkg/updates",
    "var/lib/dpkg/info",
    "var/lib/apt/lists/partial",
    "var/cache/apt/archives/partial",
    "var/log/apt",
  ];
  for (const directory of directories) await mkdir(join(root, directory), { recursive: true });
  await writeFile(join(root, "var/lib/dpkg/status"), "");
  for (const [file, text] of Object.entries(sources)) await writeFile(join(root, "etc/apt/sources.list.d", file), text);
  return root;
}
