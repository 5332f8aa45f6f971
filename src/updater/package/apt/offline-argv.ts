import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Change, FileSet } from "../manager/manager.ts";
import { anyway, keepEdited, option, simulation, type Argv } from "./argv.ts";
import { dpkgBelow } from "./below-root.ts";

/** apt with dpkg's database alone: no source and no list is read, so none that is broken stands in the way, and no cache is written. */
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

/** Files to be installed in one go, below a root: the agent's, and those that move along. */
export type FileChange = { readonly root: string; readonly change: Change; readonly files: FileSet };

export function pathsIn(files: FileSet): readonly string[] {
  return files.map(({ path }) => path);
}

/**
 * What apt would do to have the file installed, though the package may be held or of that version already. apt does not know of what
 * dpkg had not yet moved into its database when it was killed: for apt the version of before may be a downgrade then. dpkg knows.
 */
export function simulateFilesArgv({ change, files }: FileChange): Argv {
  const mayGoDown = change.direction !== "up" || files.length > 1;
  const flags = mayGoDown ? anyway : anyway.filter((flag) => flag !== "--allow-downgrades");
  return [...simulation, ...withoutLists, ...flags, "install", ...pathsIn(files)];
}

/** What apt would do to have the files installed on a host that stands as that status file says. */
export function simulateOnArgv(status: string, files: FileSet): Argv {
  return [...simulation, ...option("Dir::State::status", status), ...withoutLists, ...anyway, "install", ...pathsIn(files)];
}

/**
 * dpkg's own rehearsal, without a lock and without a line in its log. None of several is ever configured in it, and what pre-depends on it
 * would be refused.
 */
export function rehearseFilesArgv(wanted: FileChange): Argv {
  const ofSeveral = wanted.files.length > 1 ? ["--force-depends"] : [];
  return filesArgv(wanted, [...ofSeveral, "--log=/dev/null", "--no-act"]);
}

export function installFilesArgv(wanted: FileChange): Argv {
  return filesArgv(wanted, []);
}

/**
 * Of a set the agent's package may be where it was, and the others not yet. One of them may exclude what another is before its own turn
 * comes: dpkg sets that aside, and configures it at the end.
 */
function filesArgv({ root, change, files }: FileChange, more: readonly string[]): Argv {
  const ofSeveral = files.length > 1 ? ["--auto-deconfigure"] : [];
  const upwards = change.direction === "down" || files.length > 1 ? [] : ["--refuse-downgrade"];
  return ["dpkg", ...dpkgBelow(root), ...keepEdited, ...upwards, ...ofSeveral, ...more, "--install", ...pathsIn(files)];
}

/** Ends what was unpacked, of every package: as apt itself does at the end of each installation. */
export function configureArgv(root: string): Argv {
  return ["dpkg", ...dpkgBelow(root), ...keepEdited, "--configure", "-a"];
}
