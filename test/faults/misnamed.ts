import { createHash } from "node:crypto";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { mustRun } from "../system/lab/program.ts";
import { debArchitecture } from "../system/lab/deb.ts";
import type { Stage } from "./stage.ts";

/** The file of one package in the place of another's, in a list that is rightly signed and has the right sums. */
export type Swap = {
  /** As the list names it, and as it is published. */
  readonly listed: string;
  /** What is sent for it: the file of a package that is published too. */
  readonly sent: string;
};

/** What somebody may do who can write the repository; or one who builds packages, and takes the wrong file. */
export async function swapFiles(stage: Stage, { listed, sent }: Swap): Promise<void> {
  const tree = join(stage.host.directory, "repository-svc", "tree");
  const folder = join(tree, stage.host.family === "apt" ? "pool" : "packages");
  const [was, is] = [join(folder, basename(listed)), join(folder, basename(sent))];
  const before = await readFile(was);
  await copyFile(is, was);
  await rm(is);
  const change = { before, after: await readFile(was), name: basename(listed) };
  if (stage.host.family === "apt") await relistDeb(stage, tree, change);
  else await relistRpm(stage, tree, change);
}

type Change = { readonly before: Buffer; readonly after: Buffer; readonly name: string };

async function relistDeb(stage: Stage, tree: string, { before, after, name }: Change): Promise<void> {
  const list = join(tree, `dists/stable/main/binary-${await debArchitecture()}/Packages`);
  const stanzas = (await readFile(list, "utf8")).split("\n\n").map((stanza) => {
    if (!stanza.includes(`/${name}\n`)) return stanza;
    return ["md5", "sha1", "sha256", "sha512"].reduce(
      (text, kind) => text.replace(sum(before, kind), sum(after, kind)),
      stanza.replace(/^Size: \d+$/m, `Size: ${after.length}`),
    );
  });
  await writeFile(list, stanzas.join("\n\n"));
  const release = join(tree, "dists/stable/Release");
  const fields = /^(?:Origin|Suite|Codename|Components|Architectures): .*$/gm;
  const options = [...(await readFile(release, "utf8")).matchAll(fields)].flatMap(([line]) => [
    "-o",
    `APT::FTPArchive::Release::${line.replace(": ", "=")}`,
  ]);
  for (const old of [release, join(tree, "dists/stable/InRelease")]) await rm(old);
  await writeFile(release, await mustRun(["apt-ftparchive", ...options, "release", "dists/stable"], { cwd: tree }));
  await sign(stage, "--output", join(tree, "dists/stable/InRelease"), "--clearsign", release);
}

/** Every list of the repository names a package by the sum of its file. */
async function relistRpm(stage: Stage, tree: string, { before, after }: Change): Promise<void> {
  const folder = join(tree, "repodata");
  const index = join(folder, "repomd.xml");
  let repomd = await readFile(index, "utf8");
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".xml.gz"))) {
    const packed = await readFile(join(folder, file));
    const plain = gunzipSync(packed);
    const changed = Buffer.from(
      plain
        .toString("utf8")
        .replaceAll(sum(before, "sha256"), sum(after, "sha256"))
        .replaceAll(`package="${before.length}"`, `package="${after.length}"`),
    );
    const repacked = gzipSync(changed);
    await writeFile(join(folder, file), repacked);
    // The address stays; the sums are replaced where they stand as values.
    repomd = repomd
      .replace(`>${sum(packed, "sha256")}<`, `>${sum(repacked, "sha256")}<`)
      .replace(`>${sum(plain, "sha256")}<`, `>${sum(changed, "sha256")}<`)
      .replace(`<size>${packed.length}</size>`, `<size>${repacked.length}</size>`)
      .replace(`<open-size>${plain.length}</open-size>`, `<open-size>${changed.length}</open-size>`);
  }
  await writeFile(index, repomd);
  await sign(stage, "--armor", "--output", `${index}.asc`, "--detach-sign", index);
}

async function sign({ host }: Stage, ...argv: readonly string[]): Promise<void> {
  const keys = join(host.directory, "repository-svc", "keys");
  const gpg = ["gpg", "--homedir", keys, "--batch", "--yes", "--quiet", "--pinentry-mode", "loopback"];
  await mustRun([...gpg, "--local-user", "trusted@outer.test", ...argv]);
}

function sum(content: Buffer, kind: string): string {
  return createHash(kind).update(content).digest("hex");
}
