import {
  copyFileSync,
  existsSync,
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

/** Debian's release that the libraries of an image are of, as the hosts' tests have it. */
const release = "bookworm";
const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
/** Nobody's number on any distribution; a pod's security context names it as well. */
export const userNumber = 65532;

/** What an executable of ours is linked against, who signs what it fetches, and what scanners know a distribution by. */
const taken: Readonly<Record<string, readonly string[]>> = {
  libc6: ["{lib,lib64}/ld-linux-*", "lib/*/ld-linux-*", "lib/*/lib{c,m,dl,pthread,rt,resolv}.so.*"],
  "libgcc-s1": ["lib/*/libgcc_s.so.*"],
  "libstdc++6": ["usr/lib/*/libstdc++.so.*"],
  // Where the licences of the two are.
  "gcc-12-base": [],
  "ca-certificates": [],
  "base-files": ["etc/debian_version", "etc/os-release", "usr/lib/os-release"],
};

/** What is below every executable of an image: libraries as Debian's archive serves them today, checked by apt; gives the tree. */
export function makeBase(architecture: Architecture): string {
  const hint = "images are put together on Debian and what derives from it";
  for (const tool of ["apt-get", "dpkg-deb"]) firstTool([tool], hint);
  if (!existsSync(keys)) throw new Error(`${keys} is not there: install debian-archive-keyring`);
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

/** Below a folder of its own: the machine's lists, cache and configured architectures stay as they are. Gives where they were unpacked. */
function fetch(place: string, architecture: Architecture): string {
  for (const folder of ["etc", "state/lists/partial", "cache/archives/partial", "fetched", "unpacked"]) {
    rmSync(join(place, folder), { recursive: true, force: true });
    mkdirSync(join(place, folder), { recursive: true });
  }
  const signed = `[arch=${architecture} signed-by=${keys}]`;
  const sources = [
    `deb ${signed} http://deb.debian.org/debian ${release} main`,
    `deb ${signed} http://deb.debian.org/debian ${release}-updates main`,
    `deb ${signed} http://deb.debian.org/debian-security ${release}-security main`,
  ];
  writeFileSync(join(place, "etc/sources.list"), `${sources.join("\n")}\n`);
  writeFileSync(join(place, "state/status"), "");
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures::=${architecture}`,
    `Dir::State=${place}/state`,
    `Dir::State::status=${place}/state/status`,
    `Dir::Cache=${place}/cache`,
    `Dir::Etc::sourcelist=${place}/etc/sources.list`,
    "Dir::Etc::sourceparts=/dev/null",
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  runTool(["apt-get", ...options, "-q", "update", "--error-on=any"]);
  runTool(["apt-get", ...options, "-q", "download", ...Object.keys(taken)], join(place, "fetched"));
  const unpacked = join(place, "unpacked");
  for (const name of Object.keys(taken)) {
    const [file] = globSync(`${name}_*.deb`, { cwd: join(place, "fetched") });
    if (file === undefined) throw new Error(`apt-get downloaded no ${name}`);
    runTool(["dpkg-deb", "--extract", join(place, "fetched", file), join(unpacked, name)]);
    writeFileSync(join(unpacked, `${name}.control`), runTool(["dpkg-deb", "--field", join(place, "fetched", file)]));
  }
  return unpacked;
}

type Taken = { readonly name: string; readonly patterns: readonly string[]; readonly tree: string };

/** Its files, its licences, and the entry by which a scanner knows it. */
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

/** As update-ca-certificates joins them. */
function certificates(from: string): string {
  const files = globSync("usr/share/ca-certificates/**/*.crt", { cwd: from }).toSorted();
  if (files.length === 0) throw new Error("Debian's package ca-certificates has no certificates");
  return files.map((path) => readFileSync(join(from, path), "utf8").replace(/\n*$/, "\n")).join("");
}
