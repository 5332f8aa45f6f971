import { createReadStream } from "node:fs";
import { appendFile, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { basename, join, normalize } from "node:path";
import { debArchitecture } from "./deb.ts";
import type { Host } from "./host.ts";
import { mustRun } from "./program.ts";
import { listen, type Certificate, type LabServer } from "./server.ts";

/**
 * "good"; "missing": no signature at all; "unknown-key": by a key that no host trusts; "altered": the signed text was changed
 * afterwards.
 */
export type Signature = "good" | "missing" | "unknown-key" | "altered";

export type Repository = {
  readonly url: string;
  readonly server: LabServer;
  /** The sources file that names this repository in the host. */
  readonly sourcesFile: string;
  readonly publish: (...debs: readonly string[]) => Promise<void>;
  /** The file name is NAME_VERSION_ARCHITECTURE.deb, the version without its epoch. */
  readonly withdraw: (name: string, version: string) => Promise<void>;
  /** Changes a package's bytes behind the index's back. */
  readonly alter: (name: string, version: string) => Promise<void>;
  readonly sign: (signature: Signature) => Promise<void>;
};

const architectureFolder = async (): Promise<string> => `dists/stable/main/binary-${await debArchitecture()}`;

/** Where it is served: on the outer end of the host's network unless said; by https with a certificate. */
export type ServedAt = { readonly address?: string; readonly certificate?: Certificate };

/** A signed apt repository for one host; the host knows its key and its address. */
export async function serveRepository(host: Host, name: string = "svc", at: ServedAt = {}): Promise<Repository> {
  const directory = join(host.directory, `repository-${name}`);
  const tree = join(directory, "tree");
  const keys = join(directory, "keys");
  await mkdir(join(tree, "pool"), { recursive: true });
  await mkdir(join(tree, await architectureFolder()), { recursive: true });
  await mkdir(keys, { mode: 0o700 });
  for (const user of ["trusted", "unknown"]) {
    await gpg(keys, ["--passphrase", "", "--quick-generate-key", `${user}@outer.test`, "ed25519", "sign", "never"]);
  }
  let signature: Signature = "good";
  const reindex = (): Promise<void> => index(tree, keys, signature);
  await reindex();

  const server = await listen({ address: host.network.outerAddress, ...at }, filesBelow(tree));
  host.atStop(async () => {
    await server.goDown();
    await mustRun(["gpgconf", "--homedir", keys, "--kill", "gpg-agent"]);
  });
  const url = `${at.certificate === undefined ? "http" : "https"}://outer.test:${server.port}`;
  const sourcesFile = `/etc/apt/sources.list.d/${name}.list`;
  await trust(host, { name, url, keys, sourcesFile });
  return {
    url,
    server,
    sourcesFile,
    publish: async (...debs) => {
      for (const deb of debs) await copyFile(deb, join(tree, "pool", basename(deb)));
      await reindex();
    },
    withdraw: async (packageName, version) => {
      await rm(await inPool(tree, packageName, version));
      await reindex();
    },
    alter: async (packageName, version) => appendFile(await inPool(tree, packageName, version), "altered"),
    sign: async (next) => {
      signature = next;
      await reindex();
    },
  };
}

type Trusted = { readonly name: string; readonly url: string; readonly keys: string; readonly sourcesFile: string };

async function trust(host: Host, { name, url, keys, sourcesFile }: Trusted): Promise<void> {
  const exported = join(keys, "trusted.gpg");
  await gpg(keys, ["--output", exported, "--export", "trusted@outer.test"]);
  await host.copyIn(exported, `/usr/share/keyrings/${name}.gpg`);
  await host.write(sourcesFile, `deb [signed-by=/usr/share/keyrings/${name}.gpg] ${url} stable main\n`);
}

async function index(tree: string, keys: string, signature: Signature): Promise<void> {
  const folder = await architectureFolder();
  await writeFile(join(tree, folder, "Packages"), await mustRun(["apt-ftparchive", "packages", "pool"], { cwd: tree }));
  const fields = {
    Origin: "Lab",
    Suite: "stable",
    Codename: "stable",
    Components: "main",
    Architectures: await debArchitecture(),
  };
  const options = Object.entries(fields).flatMap(([field, value]) => ["-o", `APT::FTPArchive::Release::${field}=${value}`]);
  const release = join(tree, "dists/stable/Release");
  const signed = join(tree, "dists/stable/InRelease");
  await rm(release, { force: true });
  await rm(signed, { force: true });
  await writeFile(release, await mustRun(["apt-ftparchive", ...options, "release", "dists/stable"], { cwd: tree }));
  if (signature === "missing") return;
  const user = signature === "unknown-key" ? "unknown" : "trusted";
  await gpg(keys, ["--local-user", `${user}@outer.test`, "--output", signed, "--clearsign", release]);
  if (signature === "altered") await writeFile(signed, (await readFile(signed, "utf8")).replace("Origin: Lab", "Origin: Bal"));
}

function gpg(keys: string, argv: readonly string[]): Promise<string> {
  return mustRun(["gpg", "--homedir", keys, "--batch", "--yes", "--quiet", "--pinentry-mode", "loopback", ...argv]);
}

async function inPool(tree: string, name: string, version: string): Promise<string> {
  const pool = join(tree, "pool");
  const file = (await readdir(pool)).find((found) => found.startsWith(`${name}_${version.replace(/^\d+:/, "")}_`));
  if (file === undefined) throw new Error(`the repository has no ${name} ${version}`);
  return join(pool, file);
}

/** No dates and no "not modified": what was published last is what apt gets, two changes in one second included. */
function filesBelow(tree: string): RequestListener {
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
