import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { debArchitecture, debFileStart } from "./deb.ts";
import type { Keyring } from "./keyring.ts";
import { mustRun } from "./program.ts";
import type { RepositoryFormat, Signature } from "./repository-format.ts";

/** What apt-ftparchive makes of a pool, clear-signed. */
export const aptRepository: RepositoryFormat = {
  packages: "pool",
  fileStart: debFileStart,
  admit: (_, { file, signature }) => {
    // Only the index is signed: there is nothing in the package that a test could be about.
    if (signature !== "good") throw new Error(`${file}: a .deb carries no signature`);
    return Promise.resolve();
  },
  index,
  sourcesFile: (name) => `/etc/apt/sources.list.d/${name}.list`,
  introduce: async (host, { name, url, keyring, sourcesFile }) => {
    const key = join(keyring.directory, "trusted.gpg");
    await keyring.exportTo(key, "binary");
    await host.copyIn(key, `/usr/share/keyrings/${name}.gpg`);
    await host.write(sourcesFile, `deb [signed-by=/usr/share/keyrings/${name}.gpg] ${url} stable main\n`);
  },
};

async function index(tree: string, keyring: Keyring, signature: Signature): Promise<void> {
  const architecture = await debArchitecture();
  const folder = join(tree, `dists/stable/main/binary-${architecture}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "Packages"), await mustRun(["apt-ftparchive", "packages", "pool"], { cwd: tree }));
  const fields = {
    Origin: "Lab",
    Suite: "stable",
    Codename: "stable",
    Components: "main",
    Architectures: architecture,
  };
  const options = Object.entries(fields).flatMap(([field, value]) => ["-o", `APT::FTPArchive::Release::${field}=${value}`]);
  const release = join(tree, "dists/stable/Release");
  const signed = join(tree, "dists/stable/InRelease");
  await rm(release, { force: true });
  await rm(signed, { force: true });
  await writeFile(release, await mustRun(["apt-ftparchive", ...options, "release", "dists/stable"], { cwd: tree }));
  if (signature === "missing") return;
  await keyring.clearsign(release, signed, signature === "unknown-key" ? "unknown" : "trusted");
  if (signature === "altered") await writeFile(signed, (await readFile(signed, "utf8")).replace("Origin: Lab", "Origin: Bal"));
}
