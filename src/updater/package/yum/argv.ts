import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Planned } from "../manager/manager.ts";
import type { NamedPackage } from "../rpm/half-way.ts";
import type { YumArguments } from "./calls.ts";
import { listsDirectory } from "./lists.ts";

/** A server that is silent for this long will stay so. */
const silenceSeconds = 30;
/** A lost connection is worth another try or two, within one pass. */
const mostRetries = 2;

/** Whatever the host's configuration says of how much is printed: the output is read. */
const printed: YumArguments = ["--color=never", "--debuglevel=2", "--errorlevel=3"];

/** The same in the simulation and in the real run, or the simulation would prove nothing. */
const plan: YumArguments = [
  // What is merely recommended is an admin's choice, not an updater's.
  ...option("install_weak_deps", "False"),
  ...option("clean_requirements_on_remove", "False"),
  // What was fetched is taken as it is: only the refresh goes and asks whether there is something newer.
  ...option("*.metadata_expire", "-1"),
  ...option("*.skip_if_unavailable", "True"),
];

/** Below another root: with its configuration and repositories, and without the plugins, which would be this machine's. */
export function belowRoot(root: string): YumArguments {
  return root === "/" ? [] : [`--installroot=${root}`, "--noplugins"];
}

/** A question. The lists were verified as they were fetched; their keys, only root may read. */
export function askArgs(lists: string | undefined, args: YumArguments): YumArguments {
  const places = lists === undefined ? [] : ["cachedir", "persistdir", "logdir"].flatMap((key) => option(key, lists));
  return ["-C", ...printed, ...places, ...option("*.repo_gpgcheck", "False"), ...plan, ...args];
}

export type YumAction = {
  /** The keys that rpm trusts already, so that no other can be imported. */
  readonly keyFile: string;
  readonly root: string;
};

/** What changes the host. */
export function actArgs({ keyFile, root }: YumAction, args: YumArguments): YumArguments {
  return [
    "-y",
    ...printed,
    // Waited for by ourselves: dnf would wait for ever.
    ...option("exit_on_lock", "True"),
    // dnf would take it for a place of this machine, whatever the root.
    ...(root === "/" ? option("cachedir", listsDirectory) : []),
    ...option("*.gpgkey", `file://${keyFile}`),
    ...option("*.timeout", String(silenceSeconds)),
    ...option("*.retries", String(mostRetries)),
    ...args,
  ];
}

/** A proxy of the manager's own configuration, or its user, would win over the environment. */
export function withoutProxy(repositories: readonly string[]): YumArguments {
  return repositories.flatMap((id) => ["proxy", "proxy_username", "proxy_password"].flatMap((key) => option(`${id}.${key}`, "")));
}

/** What the repositories offer of the package, for every architecture, whatever holds it where it is. */
export function offersArgs(name: PackageName): YumArguments {
  const format = ["%{name}", "%{epoch}", "%{version}", "%{release}", "%{arch}", "%{repoid}"].join("|");
  return ["-q", "--disableplugin=versionlock", "repoquery", "--available", "--showduplicates", "--qf", format, name];
}

/** Where the repositories have the files of exactly these. */
export function locationsArgs(planned: readonly Planned[]): YumArguments {
  const names = planned.map(({ name, version, architecture }) => {
    const whole = exactly({ name, to: version });
    return architecture === undefined ? whole : `${whole}.${architecture}`;
  });
  return ["-q", "--disableplugin=versionlock", "repoquery", "--available", "--location", ...names];
}

/** Every repository of the host, with its addresses; those without lists on this host are named as ignored. */
export function repositoriesArgs(): YumArguments {
  return ["repoinfo", "--all"];
}

/** Fetches the lists of these repositories alone, and fails with any of them. */
export function refreshArgs(repositories: readonly string[]): YumArguments {
  const only = repositories.map((id) => `--repo=${id}`);
  return ["-q", ...only, ...option("*.skip_if_unavailable", "False"), "--refresh", "makecache"];
}

/** Not quietly: of a repository that is passed over nothing would be said. */
export function refreshAllArgs(): YumArguments {
  return [...option("*.skip_if_unavailable", "True"), "--refresh", "makecache"];
}

export type WantedPackages = {
  readonly name: PackageName;
  readonly to: PackageVersion;
  /** "lifted": what the list of version locks says does not count for this call. */
  readonly hold: "none" | "lifted";
};

export function simulateArgs(wanted: WantedPackages, along: readonly NamedPackage[] = []): YumArguments {
  return ["--assumeno", ...lockFlags(wanted), "install", ...exactlyAll(wanted, along)];
}

/** The same, with the right to remove: a refusal must name what would be removed, and dnf names it only in a whole plan. */
export function simulateErasingArgs(wanted: WantedPackages, along: readonly NamedPackage[] = []): YumArguments {
  return ["--allowerasing", ...simulateArgs(wanted, along)];
}

/** The names of all that the packages need, directly or not. */
export function closureArgs(packages: readonly string[]): YumArguments {
  return ["-q", "repoquery", "--requires", "--resolve", "--recursive", "--qf", "%{name}", ...packages];
}

/** What these take, packed and unpacked; of a mere name the latest. */
export function sizesArgs(packages: readonly string[]): YumArguments {
  const format = "%{name}|%{downloadsize}|%{installsize}";
  return ["-q", "repoquery", "--available", "--latest-limit=1", "--qf", format, ...packages];
}

/** The size of the file of that very version, in each repository that has it. */
export function fileSizeArgs(wanted: Pick<WantedPackages, "name" | "to">): YumArguments {
  const locks = "--disableplugin=versionlock";
  return ["-q", locks, "repoquery", "--available", "--showduplicates", "--qf", "%{downloadsize}", exactly(wanted)];
}

/** Leaves what was changed and every error; what package scripts print goes to dnf's own log, and is read from there. */
const quietly: YumArguments = ["--debuglevel=0"];

export type Installing = {
  /** "reinstall": the very versions are there, and dnf would find nothing to do. */
  readonly verb: "install" | "reinstall";
  readonly along: readonly NamedPackage[];
  readonly ignored: readonly string[];
};

export function installArgs(wanted: WantedPackages, { verb, along, ignored }: Installing): YumArguments {
  const only = ignored.map((id) => `--disablerepo=${id}`);
  // Out of the cache alone: what was brought has been looked at; what is fetched now would not be.
  return ["-C", ...quietly, ...plan, ...only, ...lockFlags(wanted), verb, ...exactlyAll(wanted, along)];
}

/**
 * Fetches what an installation would, with the same checks, and whatever holds the package where it is: nothing is changed.
 * "reinstall" brings along nothing else, so there what the admin excludes need not count.
 */
export function downloadArgs(
  verb: "install" | "reinstall",
  wanted: Pick<WantedPackages, "name" | "to">,
  { ignored, directory }: { readonly ignored: readonly string[]; readonly directory: string | undefined },
): YumArguments {
  return [
    ...quietly,
    ...plan,
    ...ignored.map((id) => `--disablerepo=${id}`),
    "--disableplugin=versionlock",
    ...(verb === "reinstall" ? ["--disableexcludes=all"] : []),
    "--downloadonly",
    ...(directory === undefined ? [] : [`--downloaddir=${directory}`]),
    verb,
    exactly(wanted),
  ];
}

export function addLockArgs(entry: string): YumArguments {
  return [...lockArgs, "add", "--raw", entry];
}

export function deleteLockArgs(entry: string): YumArguments {
  return [...lockArgs, "delete", entry];
}

/** A list of locks can be changed where no repository was ever reached. */
const lockArgs: YumArguments = ["-q", "-C", "--disablerepo=*", "versionlock"];

function lockFlags({ hold }: WantedPackages): YumArguments {
  return hold === "lifted" ? ["--disableplugin=versionlock"] : [];
}

/** Of the agent's package, and of what is put in order with it. */
export function exactlyAll(wanted: Pick<WantedPackages, "name" | "to">, along: readonly NamedPackage[]): readonly string[] {
  return [exactly(wanted), ...along.map(({ name, version }) => exactly({ name, to: version }))];
}

/** Always with an epoch: without one, dnf takes any. */
export function exactly({ name, to }: { readonly name: string; readonly to: string }): string {
  return `${name}-${to.includes(":") ? to : `0:${to}`}`;
}

function option(key: string, value: string): YumArguments {
  return [`--setopt=${key}=${value}`];
}
