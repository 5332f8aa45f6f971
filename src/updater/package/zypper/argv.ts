import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Change, Planned, WantedFile } from "../manager/manager.ts";
import type { NamedPackage } from "../rpm/half-way.ts";
import type { ZypperArguments } from "./calls.ts";

type Argv = readonly [string, ...string[]];

export type Where = {
  /** "/" for the machine itself; else an absolute path without a slash at its end. */
  readonly root: string;
  /** Where the repositories are described, if not where they usually are. */
  readonly repositories?: string;
};

/** What holds for every call. */
export function zypperArgv({ root, repositories }: Where, args: ZypperArguments): Argv {
  return [
    "zypper",
    "--non-interactive",
    "--terse",
    // Nobody is there to put a disc in.
    "--no-cd",
    ...(root === "/" ? [] : ["--root", root]),
    ...(repositories === undefined ? [] : ["--reposd-dir", repositories]),
    ...args,
  ];
}

/** Every version of the package, from each of these repositories. */
export function versionsArgs(name: PackageName, aliases: readonly string[]): ZypperArguments {
  return ["--quiet", ...search(aliases), name];
}

/** Every version of every package that requires what this one provides. */
export function requirersArgs(name: string, aliases: readonly string[]): ZypperArguments {
  return ["--quiet", ...search(aliases), "--requires-pkg", name];
}

/** Fetches the lists of these repositories, of all if none is named. */
export function refreshArgs(aliases: readonly string[]): ZypperArguments {
  return ["--quiet", "refresh", ...aliases];
}

export type DownloadTo = {
  readonly aliases: readonly string[];
  readonly directory: string | undefined;
  /** Quietly, zypper does not even say that nobody offers the package. */
  readonly manner: "quietly" | "aloud";
};

/** Into the cache, where an installation looks first; or below a directory for this package alone. */
export function downloadArgs(
  { name, version }: Pick<WantedFile, "name" | "version">,
  { aliases, directory, manner }: DownloadTo,
): ZypperArguments {
  const cache = directory === undefined ? [] : ["--pkg-cache-dir", directory];
  return [
    ...(manner === "quietly" ? ["--quiet"] : []),
    ...cache,
    "--no-refresh",
    "download",
    ...only(aliases),
    `${name}=${version}`,
  ];
}

/** Into the cache, in XML: only so zypper says where each file lies and what its list calls it. */
export function bringArgs(planned: readonly Planned[], aliases: readonly string[]): ZypperArguments {
  const wanted = planned.map(({ name, version }) => `${name}=${version}`);
  return ["--xmlout", "--no-refresh", "download", ...only(aliases), ...wanted];
}

export type ZypperInstallation = {
  readonly name: PackageName;
  readonly to: PackageVersion;
  /** "again": whatever is there already, in one version or in two at once. */
  readonly mode: Change["direction"] | "again" | "down again";
  /** Those that may be used; empty for all. */
  readonly aliases: readonly string[];
  /** What is put in order with it. */
  readonly along: readonly NamedPackage[];
};

/** Quietly: the plan and every error are left. What package scripts print goes to zypper's own history, and is read from there. */
export function installArgs(installation: ZypperInstallation): ZypperArguments {
  const { aliases } = installation;
  return ["--quiet", ...install(installation), ...only(aliases), ...exactlyAll(installation)];
}

/** Not quiet: only so zypper says whose licence it agrees to. */
export function simulateArgs(installation: ZypperInstallation): ZypperArguments {
  const { aliases } = installation;
  return [...install(installation), "--dry-run", ...only(aliases), ...exactlyAll(installation)];
}

/** With the version of each package. */
export function detailsArgs(installation: ZypperInstallation): ZypperArguments {
  const { aliases } = installation;
  return [...install(installation), "--dry-run", "--details", ...only(aliases), ...exactlyAll(installation)];
}

/**
 * No word of vendors: zypper keeps them for all that is not named, and a plan that changes one is refused.
 * The agent's licence was agreed to when it came to this host; a plan that needs another one agreed to is refused as well.
 */
function install({ mode }: ZypperInstallation): ZypperArguments {
  return [
    // What was fetched is taken as it is: only the refresh goes and asks whether there is something newer.
    "--no-refresh",
    "install",
    "--name",
    "--auto-agree-with-licenses",
    // What is merely recommended is an admin's choice, not an updater's.
    "--no-recommends",
    ...flagsFor(mode),
  ];
}

/** To an older version `--oldpackage` lets only the package that is named go; what is locked to it has to be let go as well. */
export function flagsFor(mode: ZypperInstallation["mode"]): ZypperArguments {
  switch (mode) {
    case "up":
      return [];
    case "down":
      return ["--oldpackage", "--allow-downgrade"];
    case "same":
    case "again":
      return ["--force"];
    case "down again":
      return ["--force", "--allow-downgrade"];
  }
}

/** Of the agent's package, and of what is put in order with it. */
export function exactlyAll({ name, to, along }: ZypperInstallation): readonly string[] {
  return [`${name}=${to}`, ...along.map((one) => `${one.name}=${one.version}`)];
}

function search(aliases: readonly string[]): ZypperArguments {
  return ["--no-refresh", "search", "--details", "--match-exact", "--type", "package", ...only(aliases)];
}

function only(aliases: readonly string[]): ZypperArguments {
  return aliases.flatMap((alias) => ["--repo", alias]);
}
