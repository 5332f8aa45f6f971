import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Change, FileSet } from "../manager/manager.ts";
import { anyway, keepEdited, option, simulation, type Argv } from "./argv.ts";
import { dpkgBelow } from "./below-root.ts";

/** Makes apt read only dpkg's database. A broken source or list does not matter, and no cache is written. */
const withoutLists: readonly string[] = [
  ...option("Dir::Etc::sourcelist", "/dev/null"),
  ...option("Dir::Etc::sourceparts", "/dev/null"),
  ...option("Dir::State::lists", "/nonexistent"),
  ...option("Dir::Cache::pkgcache", ""),
  ...option("Dir::Cache::srcpkgcache", ""),
];

export function holdArgv(name: PackageName): Argv {
  return ["apt-mark", "-qq", ...withoutLists, "hold", name];
}

/** Files to install together below a root: the agent's, and those that move along. */
export type FileChange = { readonly root: string; readonly change: Change; readonly files: FileSet };

export function pathsIn(files: FileSet): readonly string[] {
  return files.map(({ path }) => path);
}

/**
 * Asks what apt would do to install the file, even if the package is held or has that version. If dpkg was killed before it noted a change in its
 * database, apt still sees the old version and may call this a downgrade; dpkg knows better.
 */
export function simulateFilesArgv({ change, files }: FileChange): Argv {
  const mayGoDown = change.direction !== "up" || files.length > 1;
  const flags = mayGoDown ? anyway : anyway.filter((flag) => flag !== "--allow-downgrades");
  return [...simulation, ...withoutLists, ...flags, "install", ...pathsIn(files)];
}

/** Simulates the installation of the files on a host with that status file. */
export function simulateOnArgv(status: string, files: FileSet): Argv {
  return [...simulation, ...option("Dir::State::status", status), ...withoutLists, ...anyway, "install", ...pathsIn(files)];
}

/**
 * dpkg's own simulation, without a lock and without a line in its log. It configures nothing, so with several files it would refuse a pre-dependency
 * among them.
 */
export function rehearseFilesArgv(wanted: FileChange): Argv {
  const ofSeveral = wanted.files.length > 1 ? ["--force-depends"] : [];
  return filesArgv(wanted, [...ofSeveral, "--log=/dev/null", "--no-act"]);
}

export function installFilesArgv(wanted: FileChange): Argv {
  return filesArgv(wanted, []);
}

/**
 * Installs the files. The agent's package may already be back when others of the set are not. One may exclude another's installed version: dpkg
 * deconfigures that one, and configures it at the end.
 */
function filesArgv({ root, change, files }: FileChange, more: readonly string[]): Argv {
  const ofSeveral = files.length > 1 ? ["--auto-deconfigure"] : [];
  const upwards = change.direction === "down" || files.length > 1 ? [] : ["--refuse-downgrade"];
  return ["dpkg", ...dpkgBelow(root), ...keepEdited, ...upwards, ...ofSeveral, ...more, "--install", ...pathsIn(files)];
}

/** Configures every unpacked package, as apt does after each installation. */
export function configureArgv(root: string): Argv {
  return ["dpkg", ...dpkgBelow(root), ...keepEdited, "--configure", "-a"];
}
