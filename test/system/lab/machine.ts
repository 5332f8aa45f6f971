import { access, constants, readFile } from "node:fs/promises";

/** Where the lab's programs come from, by the name of the program. */
const programs: Readonly<Record<string, string>> = {
  mmdebstrap: "mmdebstrap",
  "systemd-nspawn": "systemd-container",
  ip: "iproute2",
  nsenter: "util-linux",
  unshare: "util-linux",
  flock: "util-linux",
  losetup: "mount",
  "mkfs.ext4": "e2fsprogs",
  "mkfs.xfs": "xfsprogs",
  perl: "perl-base",
  "apt-ftparchive": "apt-utils",
  "dpkg-deb": "dpkg",
  rpmbuild: "rpm",
  rpmsign: "rpm",
  createrepo_c: "createrepo-c",
  gpg: "gnupg",
  openssl: "openssl",
  gcc: "gcc and libc6-dev",
  squid: "squid",
  tinyproxy: "tinyproxy",
  nft: "nftables",
  nginx: "nginx-light",
  curl: "curl",
  jq: "jq",
};

const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const folders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/** What this machine lacks for booted hosts, a sentence each; empty when the lab can run. */
export async function missingForLab(): Promise<readonly string[]> {
  const missing: string[] = [];
  if (process.platform !== "linux") return ["The lab boots Linux hosts: this machine is not Linux."];
  if (process.getuid?.() !== 0) missing.push("The lab needs root: run the system tests as root.");
  for (const [program, source] of Object.entries(programs)) {
    if (!(await isInstalled(program))) missing.push(`The program ${program} is missing: install ${source}.`);
  }
  if (!(await isReadable(keyring))) missing.push(`The file ${keyring} is missing: install debian-archive-keyring.`);
  if (!(await readFile("/proc/filesystems", "utf8")).includes("\toverlay\n")) {
    missing.push("The kernel offers no overlay file system: run modprobe overlay.");
  }
  if ((await cgroup2Mount()) === undefined)
    missing.push("No cgroup2 file system is mounted: each host needs a cgroup of its own.");
  return missing;
}

/** The first place where the machine's cgroup2 tree is mounted; hybrid machines have it below /sys/fs/cgroup/unified. */
export async function cgroup2Mount(): Promise<string | undefined> {
  for (const line of (await readFile("/proc/self/mounts", "utf8")).split("\n")) {
    const [, mountPoint, type, options] = line.split(" ");
    if (type === "cgroup2" && options?.split(",").includes("rw") === true) return mountPoint;
  }
  return undefined;
}

async function isInstalled(program: string): Promise<boolean> {
  for (const folder of folders) if (await isReadable(`${folder}/${program}`)) return true;
  return false;
}

function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
