import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "./host.ts";
import type { Keyring } from "./keyring.ts";
import { mustRun } from "./program.ts";
import type { Introduction, RepositoryFormat, Signature } from "./repository-format.ts";
import { rpmFileStart } from "./rpm.ts";

/** What createrepo_c makes of signed packages, with a signature beside repomd.xml. */
const rpmRepository = {
  packages: "packages",
  fileStart: rpmFileStart,
  admit: async (keyring, { file, signature }) => {
    if (signature === "missing") return;
    await keyring.signRpm(file, signature === "unknown-key" ? "unknown" : "trusted");
  },
  index,
} satisfies Partial<RepositoryFormat>;

export const yumRepository: RepositoryFormat = {
  ...rpmRepository,
  sourcesFile: (name) => `/etc/yum.repos.d/${name}.repo`,
  introduce: async (host, introduction) => {
    const keyFile = await importKey(host, introduction);
    await host.write(introduction.sourcesFile, repoFile(introduction, { repo_gpgcheck: "1", gpgkey: `file://${keyFile}` }));
  },
};

export const zypperRepository: RepositoryFormat = {
  ...rpmRepository,
  sourcesFile: (name) => `/etc/zypp/repos.d/${name}.repo`,
  introduce: async (host, introduction) => {
    await importKey(host, introduction);
    await host.write(introduction.sourcesFile, repoFile(introduction, { autorefresh: "1", type: "rpm-md" }));
  },
};

async function index(tree: string, keyring: Keyring, signature: Signature): Promise<void> {
  // Two indexes of one second would be the same, and zypper checks a signature only where the index has changed.
  await mustRun(["createrepo_c", "--quiet", "--no-database", `--revision=${Date.now()}`, tree]);
  const signed = join(tree, "repodata/repomd.xml");
  // zypper looks there for the key of a signature that it cannot check.
  await keyring.exportTo(`${signed}.key`, "armored");
  // createrepo_c keeps files that it does not know.
  await rm(`${signed}.asc`, { force: true });
  if (signature === "missing") return;
  await keyring.signDetached(signed, `${signed}.asc`, signature === "unknown-key" ? "unknown" : "trusted");
  if (signature === "altered") await appendFile(signed, "\n");
}

/** rpm checks packages with the keys in its database, and zypper the indexes too; dnf reads the file for those. */
async function importKey(host: Host, { name, keyring }: Introduction): Promise<string> {
  const key = join(keyring.directory, "trusted.asc");
  await keyring.exportTo(key, "armored");
  const keyFile = `/etc/pki/rpm-gpg/RPM-GPG-KEY-${name}`;
  await host.copyIn(key, keyFile);
  await host.mustRun(["rpm", "--import", keyFile]);
  return keyFile;
}

function repoFile({ name, url, priority }: Introduction, more: Readonly<Record<string, string>>): string {
  const fields = {
    name: `Lab ${name}`,
    baseurl: url,
    enabled: "1",
    gpgcheck: "1",
    ...more,
    ...(priority === undefined ? {} : { priority }),
  };
  return `[${name}]\n${Object.entries(fields)
    .map(([field, value]) => `${field}=${value}\n`)
    .join("")}`;
}
