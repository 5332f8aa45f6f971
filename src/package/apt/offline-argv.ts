import type { PackageName } from "../../settings/settings.ts";
import type { Change } from "../manager.ts";
import { changeFlags, keepEdited, option, plan, type Argv } from "./argv.ts";
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

/** A file to be installed, below a root. */
export type FileChange = { readonly root: string; readonly change: Change; readonly file: string };

/**
 * What apt would do to have the file installed, though the package may be held or of that version already. apt does not know of what
 * dpkg had not yet moved into its database when it was killed: for apt the version of before may be a downgrade then. dpkg knows.
 */
export function simulateFileArgv({ change, file }: FileChange): Argv {
  const quiet = option("APT::Get::Show-User-Simulation-Note", "false");
  const downwards = change.direction === "same" ? ["--allow-downgrades"] : [];
  const anyway = [...changeFlags({ ...change, hold: "lifted" }), ...downwards];
  return ["apt-get", "-q", "-y", "-s", ...quiet, ...withoutLists, ...plan, ...anyway, "--reinstall", "install", file];
}

/** dpkg's own rehearsal, without a lock and without a line in its log. */
export function rehearseFileArgv(wanted: FileChange): Argv {
  return ["dpkg", ...installOptions(wanted), "--log=/dev/null", "--no-act", "--install", wanted.file];
}

export function installFileArgv(wanted: FileChange): Argv {
  return ["dpkg", ...installOptions(wanted), "--install", wanted.file];
}

/** Ends what was unpacked, of every package: as apt itself does at the end of each installation. */
export function configureArgv(root: string): Argv {
  return ["dpkg", ...dpkgBelow(root), ...keepEdited, "--configure", "-a"];
}

function installOptions({ root, change }: FileChange): readonly string[] {
  return [...dpkgBelow(root), ...keepEdited, ...(change.direction === "down" ? [] : ["--refuse-downgrade"])];
}
