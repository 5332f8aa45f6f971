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
    // Nobody could insert a disc.
    "--no-cd",
    ...(root === "/" ? [] : ["--root", root]),
    ...(repositories === undefined ? [] : ["--reposd-dir", repositories]),
    ...args,
  ];
}

/** Asks for every version of the package in these repositories. */
export function versionsArgs(name: PackageName, aliases: readonly string[]): ZypperArguments {
  return ["--quiet", ...search(aliases), name];
}

/** Asks for all packages, in every version, that require this one. */
export function requirersArgs(name: string, aliases: readonly string[]): ZypperArguments {
  return ["--quiet", ...search(aliases), "--requires-pkg", name];
}

/** Asks to refresh these repositories. An empty list means all. */
export function refreshArgs(aliases: readonly string[]): ZypperArguments {
  return ["--quiet", "refresh", ...aliases];
}

export type DownloadTo = {
  readonly aliases: readonly string[];
  readonly directory: string | undefined;
  /** When quiet, zypper does not even say that nobody offers the package. */
  readonly manner: "quietly" | "aloud";
};

/** Downloads into the cache, which an installation reads first, or into a directory for this package alone. */
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

/** Downloads into the cache. Only XML output says where each file is, and its name in the list. */
export function bringArgs(planned: readonly Planned[], aliases: readonly string[]): ZypperArguments {
  const wanted = planned.map(({ name, version }) => `${name}=${version}`);
  return ["--xmlout", "--no-refresh", "download", ...only(aliases), ...wanted];
}

export type ZypperInstallation = {
  readonly name: PackageName;
  readonly to: PackageVersion;
  /** "again": the package is installed already, in one version or in two at once. */
  readonly mode: Change["direction"] | "again" | "down again";
  /** The repositories to use; empty for all. */
  readonly aliases: readonly string[];
  /** The packages repaired with it. */
  readonly along: readonly NamedPackage[];
};

/** Quiet output still has the plan and every error. Package scripts print into zypper's history, which we read. */
export function installArgs(installation: ZypperInstallation): ZypperArguments {
  const { aliases } = installation;
  return ["--quiet", ...install(installation), ...only(aliases), ...exactlyAll(installation)];
}

/** Not quiet, because only then zypper names the licences that it accepts. */
export function simulateArgs(installation: ZypperInstallation): ZypperArguments {
  const { aliases } = installation;
  return [...install(installation), "--dry-run", ...only(aliases), ...exactlyAll(installation)];
}

/** Simulates, and shows the version of each package. */
export function detailsArgs(installation: ZypperInstallation): ZypperArguments {
  const { aliases } = installation;
  return [...install(installation), "--dry-run", "--details", ...only(aliases), ...exactlyAll(installation)];
}

/**
 * Has no option for vendors: zypper keeps the vendor of unnamed packages, and we refuse a plan that changes one. The agent's
 * licence was accepted with its installation; we refuse a plan with another licence too.
 */
function install({ mode }: ZypperInstallation): ZypperArguments {
  return [
    // Uses the present lists: only a refresh asks for newer ones.
    "--no-refresh",
    "install",
    "--name",
    "--auto-agree-with-licenses",
    // Recommended packages are the administrator's choice.
    "--no-recommends",
    ...flagsFor(mode),
  ];
}

/** `--oldpackage` allows a downgrade of the named package only; packages locked to it need `--allow-downgrade`. */
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
