import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Change, Planned, WantedFile } from "../manager/manager.ts";
import type { NamedPackage } from "../rpm/half-way.ts";
import type { ZypperArguments } from "./calls.ts";

type Argv = readonly [string, ...string[]];

export type Where = {
  /** "/" for the machine itself; otherwise an absolute path without a slash at the end. */
  readonly root: string;
  /** The directory of repository files, if not the usual one. */
  readonly repositories?: string;
};

/** The arguments of every call. */
export function zypperArgv({ root, repositories }: Where, args: ZypperArguments): Argv {
  return [
    "zypper",
    "--non-interactive",
    "--terse",
    // Nobody is there to insert a disc.
    "--no-cd",
    ...(root === "/" ? [] : ["--root", root]),
    ...(repositories === undefined ? [] : ["--reposd-dir", repositories]),
    ...args,
  ];
}

/** Every version of the package in these repositories. */
export function versionsArgs(name: PackageName, aliases: readonly string[]): ZypperArguments {
  return ["--quiet", ...search(aliases), name];
}

/** Every version of every package that requires what this one provides. */
export function requirersArgs(name: string, aliases: readonly string[]): ZypperArguments {
  return ["--quiet", ...search(aliases), "--requires-pkg", name];
}

/** Refreshes these repositories; with none named, all. */
export function refreshArgs(aliases: readonly string[]): ZypperArguments {
  return ["--quiet", "refresh", ...aliases];
}

export type DownloadTo = {
  readonly aliases: readonly string[];
  readonly directory: string | undefined;
  /** When quiet, zypper does not even say that nobody offers the package. */
  readonly manner: "quietly" | "aloud";
};

/** Into the cache, where an installation looks first, or below a directory for this package alone. */
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

/** Into the cache, as XML: only then zypper says where each file is and what its list calls it. */
export function bringArgs(planned: readonly Planned[], aliases: readonly string[]): ZypperArguments {
  const wanted = planned.map(({ name, version }) => `${name}=${version}`);
  return ["--xmlout", "--no-refresh", "download", ...only(aliases), ...wanted];
}

export type ZypperInstallation = {
  readonly name: PackageName;
  readonly to: PackageVersion;
  /** "again": although it is installed, in one version or in two at once. */
  readonly mode: Change["direction"] | "again" | "down again";
  /** The repositories to use; empty for all. */
  readonly aliases: readonly string[];
  /** The packages repaired with it. */
  readonly along: readonly NamedPackage[];
};

/** Quiet: leaves the plan and every error. Package scripts print into zypper's history, which we read. */
export function installArgs(installation: ZypperInstallation): ZypperArguments {
  const { aliases } = installation;
  return ["--quiet", ...install(installation), ...only(aliases), ...exactlyAll(installation)];
}

/** Not quiet: only then zypper names the licence it agrees to. */
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
 * Says nothing about vendors: zypper keeps the vendor of packages that are not named, and a plan that changes one is refused. The agent's
 * licence was accepted when it was installed; a plan with another licence is refused too.
 */
function install({ mode }: ZypperInstallation): ZypperArguments {
  return [
    // Uses the lists as they are: only a refresh asks for newer ones.
    "--no-refresh",
    "install",
    "--name",
    "--auto-agree-with-licenses",
    // Recommended packages are the administrator's choice.
    "--no-recommends",
    ...flagsFor(mode),
  ];
}

/** `--oldpackage` lets only the named package go down; packages locked to it need a further flag. */
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

/** The agent's package, and those repaired with it. */
export function exactlyAll({ name, to, along }: ZypperInstallation): readonly string[] {
  return [`${name}=${to}`, ...along.map((one) => `${one.name}=${one.version}`)];
}

function search(aliases: readonly string[]): ZypperArguments {
  return ["--no-refresh", "search", "--details", "--match-exact", "--type", "package", ...only(aliases)];
}

function only(aliases: readonly string[]): ZypperArguments {
  return aliases.flatMap((alias) => ["--repo", alias]);
}
