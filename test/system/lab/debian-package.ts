import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { debFileStart } from "./deb.ts";
import type { Host } from "./host.ts";
import { mustRun } from "./program.ts";

/** Debian's own package of that name, as it is; the answer is the path of the .deb on this machine. */
export async function downloadPackage(host: Host, name: string): Promise<string> {
  const folder = join(host.directory, `download-${name}`);
  // The same again for each version that is made of it.
  if ((await mkdir(folder, { recursive: true })) !== undefined) await mustRun(["apt-get", "download", name], { cwd: folder });
  const [file] = await readdir(folder);
  if (file === undefined) throw new Error(`apt-get downloaded no ${name}`);
  return join(folder, file);
}

type Control = { readonly deb: string; readonly name: string; readonly version: string; readonly architecture: string };

/**
 * The same packages under another version, and so in what they say of one another: the archive offers one version only. All else,
 * their maintainer scripts included, is Debian's. Gives the paths of the new .debs.
 */
export async function reversion(host: Host, debs: readonly string[], version: string): Promise<readonly string[]> {
  const packages = await Promise.all(debs.map(controlOf));
  return Promise.all(packages.map((one) => repack(host, one, { version, packages })));
}

export async function controlOf(deb: string): Promise<Control> {
  const told = await mustRun(["dpkg-deb", "--show", "--showformat", "${Package} ${Version} ${Architecture}", deb]);
  const [name = "", version = "", architecture = ""] = told.split(" ");
  return { deb, name, version, architecture };
}

type Renamed = { readonly version: string; readonly packages: readonly Control[] };

async function repack(host: Host, { deb, name, architecture }: Control, to: Renamed): Promise<string> {
  const tree = join(host.directory, `tree-${name}-${to.version.replaceAll(":", "_")}`);
  await mustRun(["dpkg-deb", "-R", deb, tree]);
  const control = join(tree, "DEBIAN/control");
  const related = rewriteRelations(await readFile(control, "utf8"), to);
  await writeFile(control, related.replace(/^Version: .*$/m, `Version: ${to.version}`));
  const built = join(host.directory, `${debFileStart(name, to.version)}${architecture}.deb`);
  // Packed tightly, a large program would take longer than all the rest.
  await mustRun(["dpkg-deb", "-Zzstd", "-z1", "-b", tree, built]);
  await rm(tree, { recursive: true });
  return built;
}

/** "Breaks: mariadb-server (<< 1:10.11.19-0+deb12u1)" is about the version that the other one has. */
function rewriteRelations(control: string, { version, packages }: Renamed): string {
  return control.replace(/([a-z\d][a-z\d.+-]+)((?::\w+)? \((?:<<|<=|=|>=|>>) )([^)]+)\)/g, (whole, name, relation, of) =>
    packages.some((other) => other.name === name && other.version === of) ? `${name}${relation}${version})` : whole,
  );
}
