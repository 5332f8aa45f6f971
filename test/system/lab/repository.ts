import { createReadStream } from "node:fs";
import { appendFile, copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { basename, join, normalize } from "node:path";
import { aptRepository } from "./apt-repository.ts";
import type { Family } from "./base.ts";
import type { Host } from "./host.ts";
import { makeKeyring } from "./keyring.ts";
import { packageVersion } from "./package.ts";
import type { PackageSignature, RepositoryFormat, Signature } from "./repository-format.ts";
import { yumRepository, zypperRepository } from "./rpm-repository.ts";
import { listen, type Certificate, type LabServer } from "./server.ts";

export type Repository = {
  readonly url: string;
  readonly server: LabServer;
  /** The file that names this repository in the host. */
  readonly sourcesFile: string;
  readonly publish: (...packages: readonly string[]) => Promise<void>;
  /** An rpm whose own signature is another than a good one; a .deb has none. */
  readonly publishSigned: (signature: PackageSignature, ...packages: readonly string[]) => Promise<void>;
  readonly withdraw: (name: string, version: string) => Promise<void>;
  /** Changes a package's bytes behind the index's back. */
  readonly alter: (name: string, version: string) => Promise<void>;
  /** Signs the index so, now and from now on. */
  readonly sign: (signature: Signature) => Promise<void>;
};

/** Where it is served: on the outer end of the host's network unless said; by https with a certificate. */
export type ServedAt = {
  readonly address?: string;
  readonly certificate?: Certificate;
  /** yum and zypper know one for each repository: 99 unless said, and the lower goes first. apt's pins are files of their own. */
  readonly priority?: number;
};

const formats: Readonly<Record<Family, RepositoryFormat>> = { apt: aptRepository, yum: yumRepository, zypper: zypperRepository };

/** A signed repository of the host's family; the host knows its key and its address. */
export async function serveRepository(host: Host, name: string = "svc", at: ServedAt = {}): Promise<Repository> {
  const format = formats[host.family];
  const tree = join(host.directory, `repository-${name}`, "tree");
  const folder = join(tree, format.packages);
  await mkdir(folder, { recursive: true });
  const keyring = await makeKeyring(join(host.directory, `repository-${name}`, "keys"));
  let signature: Signature = "good";
  const reindex = (): Promise<void> => format.index(tree, keyring, signature);
  await reindex();

  const { priority, ...listenAt } = at;
  const server = await listen({ address: host.network.outerAddress, ...listenAt }, filesBelow(tree));
  host.atStop(async () => {
    await server.goDown();
    await keyring.close();
  });
  const url = `${at.certificate === undefined ? "http" : "https"}://outer.test:${server.port}`;
  const sourcesFile = format.sourcesFile(name);
  await format.introduce(host, { name, url, keyring, sourcesFile, priority });

  async function add(itsSignature: PackageSignature, packages: readonly string[]): Promise<void> {
    for (const built of packages) {
      const file = join(folder, basename(built));
      await copyFile(built, file);
      await format.admit(keyring, { file, signature: itsSignature });
    }
    await reindex();
  }

  async function find(packageName: string, version: string): Promise<string> {
    const start = format.fileStart(packageName, packageVersion(host, version));
    const file = (await readdir(folder)).find((found) => found.startsWith(start));
    if (file === undefined) throw new Error(`the repository has no ${packageName} ${version}`);
    return join(folder, file);
  }

  return {
    url,
    server,
    sourcesFile,
    publish: (...packages) => add("good", packages),
    publishSigned: (itsSignature, ...packages) => add(itsSignature, packages),
    withdraw: async (packageName, version) => {
      await rm(await find(packageName, version));
      await reindex();
    },
    alter: async (packageName, version) => appendFile(await find(packageName, version), "altered"),
    sign: async (next) => {
      signature = next;
      await reindex();
    },
  };
}

/** No dates and no "not modified": what was published last is what a host gets, two changes in one second included. */
export function filesBelow(tree: string): RequestListener {
  return (request, response) => {
    const path = join(tree, normalize(decodeURIComponent(new URL(request.url ?? "/", "http://outer.test").pathname)));
    stat(path).then(
      (found) => {
        if (!found.isFile()) return void response.writeHead(404).end();
        response.writeHead(200, { "content-length": found.size });
        return void (request.method === "HEAD" ? response.end() : createReadStream(path).pipe(response));
      },
      () => void response.writeHead(404).end(),
    );
  };
}
