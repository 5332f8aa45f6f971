import {
  copyFileSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { distFolder, type Architecture } from "../project.ts";
import { firstTool, runTool } from "../tool.ts";
import { fillTree } from "../tree.ts";

/** The Debian release that an image's libraries come from. The tests on hosts use the same one. */
const release = "bookworm";
/** The number of the image's user. No distribution uses it, and a pod's security context names it too. */
export const userNumber = 65532;

/** The libraries of our executables, the certificates, and the files by which scanners know a distribution. */
const taken: Readonly<Record<string, readonly string[]>> = {
  libc6: ["{lib,lib64}/ld-linux-*", "lib/*/ld-linux-*", "lib/*/lib{c,m,dl,pthread,rt,resolv}.so.*"],
  "libgcc-s1": ["lib/*/libgcc_s.so.*"],
  "libstdc++6": ["usr/lib/*/libstdc++.so.*"],
  // This package has the licences of libc6 and libgcc-s1.
  "gcc-12-base": [],
  "ca-certificates": [],
  "base-files": ["etc/debian_version", "etc/os-release", "usr/lib/os-release"],
};

/** Makes the lowest layer of every image, with libraries from Debian's archive of today that are checked by its keys. Returns the tree. */
export function makeBase(architecture: Architecture): string {
  const hint = "images are put together on Debian and what derives from it: install mmdebstrap and debian-archive-keyring";
  for (const tool of ["mmdebstrap", "dpkg-deb"]) firstTool([tool], hint);
  const work = resolve(distFolder, "work", architecture, "image");
  const tree = join(work, "base");
  rmSync(tree, { recursive: true, force: true });
  const packages = fetch(join(work, "apt"), architecture);
  for (const [name, patterns] of Object.entries(taken)) takeFrom(packages, { name, patterns, tree });
  fillTree(tree, [
    { to: "etc/ssl/certs/ca-certificates.crt", text: certificates(join(packages, "ca-certificates")) },
    {
      to: "etc/passwd",
      text: `root:x:0:0:root:/:/sbin/nologin\nnonroot:x:${userNumber}:${userNumber}:nonroot:/:/sbin/nologin\n`,
    },
    { to: "etc/group", text: `root:x:0:\nnonroot:x:${userNumber}:\n` },
    { to: "etc/nsswitch.conf", text: "hosts: files dns\n" },
  ]);
  return tree;
}

/**
 * Fetches packages from the archive, with the keys that mmdebstrap has for the release. Changes nothing on the machine. Returns the directory with
 * the unpacked packages.
 */
function fetch(place: string, architecture: Architecture): string {
  rmSync(place, { recursive: true, force: true });
  const [fetched, unpacked] = [join(place, "fetched"), join(place, "unpacked")];
  for (const folder of [fetched, unpacked]) mkdirSync(folder, { recursive: true });
  runTool([
    "mmdebstrap",
    "--quiet",
    "--variant=extract",
    `--architectures=${architecture}`,
    `--include=${Object.keys(taken).join(",")}`,
    `--extract-hook=sync-out /var/cache/apt/archives ${fetched}`,
    "--format=null",
    release,
  ]);
  for (const name of Object.keys(taken)) {
    const [file] = globSync(`${name}_*.deb`, { cwd: fetched });
    if (file === undefined) throw new Error(`mmdebstrap fetched no ${name}`);
    runTool(["dpkg-deb", "--extract", join(fetched, file), join(unpacked, name)]);
    writeFileSync(join(unpacked, `${name}.control`), runTool(["dpkg-deb", "--field", join(fetched, file)]));
  }
  return unpacked;
}

type Taken = { readonly name: string; readonly patterns: readonly string[]; readonly tree: string };

/** Takes a package's files, its licences, and the entry by which scanners know it. */
function takeFrom(packages: string, { name, patterns, tree }: Taken): void {
  const from = join(packages, name);
  for (const pattern of [...patterns, `usr/share/doc/${name}`, `usr/share/doc/${name}/copyright`]) {
    const found = globSync(pattern, { cwd: from }).filter((path) => !lstatSync(join(from, path)).isDirectory());
    if (found.length === 0 && patterns.includes(pattern)) throw new Error(`Debian's package ${name} has no ${pattern}`);
    for (const path of found) copyEntry(join(from, path), join(tree, path));
  }
  const control = readFileSync(join(packages, `${name}.control`), "utf8");
  fillTree(tree, [
    { to: `var/lib/dpkg/status.d/${name}`, text: control.replace(/^(Package: .*\n)/, "$1Status: install ok installed\n") },
  ]);
}

function copyEntry(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyFileSync(from, to);
}

/** Joins the certificates as update-ca-certificates does. */
function certificates(from: string): string {
  const files = globSync("usr/share/ca-certificates/**/*.crt", { cwd: from }).toSorted();
  if (files.length === 0) throw new Error("Debian's package ca-certificates has no certificates");
  return files.map((path) => readFileSync(join(from, path), "utf8").replace(/\n*$/, "\n")).join("");
}
