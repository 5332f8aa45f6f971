import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Planned } from "../manager/manager.ts";
import type { NamedPackage } from "../rpm/half-way.ts";
import type { YumArguments } from "./calls.ts";
import { listsDirectory } from "./lists.ts";

/** A server that is silent this long stays silent. */
const silenceSeconds = 30;
/** A lost connection is worth one or two more tries within a pass. */
const mostRetries = 2;

/** Overrides the host's verbosity, because we read the output. */
const printed: YumArguments = ["--color=never", "--debuglevel=2", "--errorlevel=3"];

/** The simulation and the real run share these options; otherwise the simulation would prove nothing. */
const plan: YumArguments = [
  // Recommended packages are the administrator's choice.
  ...option("install_weak_deps", "False"),
  ...option("clean_requirements_on_remove", "False"),
  // Uses the lists as they are: only a refresh asks for newer ones.
  ...option("*.metadata_expire", "-1"),
  ...option("*.skip_if_unavailable", "True"),
];

/** Below another root: with its configuration and repositories, without plugins, which would be this machine's. */
export function belowRoot(root: string): YumArguments {
  return root === "/" ? [] : [`--installroot=${root}`, "--noplugins"];
}

/** Options for a question. The lists were verified when they were fetched, and only root may read the keys. */
export function askArgs(lists: string | undefined, args: YumArguments): YumArguments {
  const places = lists === undefined ? [] : ["cachedir", "persistdir", "logdir"].flatMap((key) => option(key, lists));
  return ["-C", ...printed, ...places, ...option("*.repo_gpgcheck", "False"), ...plan, ...args];
}

export type YumAction = {
  /** The keys that rpm already trusts, so that no other can be imported. */
  readonly keyFile: string;
  readonly root: string;
};

/** For a change of the host. */
export function actArgs({ keyFile, root }: YumAction, args: YumArguments): YumArguments {
  return [
    "-y",
    ...printed,
    // We wait ourselves: dnf would wait for ever.
    ...option("exit_on_lock", "True"),
    // dnf reads this path on the machine, whatever the root.
    ...(root === "/" ? option("cachedir", listsDirectory) : []),
    ...option("*.gpgkey", `file://${keyFile}`),
    ...option("*.timeout", String(silenceSeconds)),
    ...option("*.retries", String(mostRetries)),
    ...args,
  ];
}

/** A proxy or its user in the manager's own configuration would win over the environment. */
export function withoutProxy(repositories: readonly string[]): YumArguments {
  return repositories.flatMap((id) => ["proxy", "proxy_username", "proxy_password"].flatMap((key) => option(`${id}.${key}`, "")));
}

/** The package in all repositories, for every architecture, despite any hold. */
export function offersArgs(name: PackageName): YumArguments {
  const format = ["%{name}", "%{epoch}", "%{version}", "%{release}", "%{arch}", "%{repoid}"].join("|");
  return ["-q", "--disableplugin=versionlock", "repoquery", "--available", "--showduplicates", "--qf", format, name];
}

/** The URLs of the files of exactly these packages. */
export function locationsArgs(planned: readonly Planned[]): YumArguments {
  const names = planned.map(({ name, version, architecture }) => {
    const whole = exactly({ name, to: version });
    return architecture === undefined ? whole : `${whole}.${architecture}`;
  });
  return ["-q", "--disableplugin=versionlock", "repoquery", "--available", "--location", ...names];
}

/** Every repository of the host, with its addresses; those without lists on this host appear as ignored. */
export function repositoriesArgs(): YumArguments {
  return ["repoinfo", "--all"];
}

/** Refreshes only these repositories, and fails if any of them fails. */
export function refreshArgs(repositories: readonly string[]): YumArguments {
  const only = repositories.map((id) => `--repo=${id}`);
  return ["-q", ...only, ...option("*.skip_if_unavailable", "False"), "--refresh", "makecache"];
}

/** The call is not quiet, because dnf would not report a skipped repository. */
export function refreshAllArgs(): YumArguments {
  return [...option("*.skip_if_unavailable", "True"), "--refresh", "makecache"];
}

export type WantedPackages = {
  readonly name: PackageName;
  readonly to: PackageVersion;
  /** "lifted": the list of version locks does not count for this call. */
  readonly hold: "none" | "lifted";
};

export function simulateArgs(wanted: WantedPackages, along: readonly NamedPackage[] = []): YumArguments {
  return ["--assumeno", ...lockFlags(wanted), "install", ...exactlyAll(wanted, along)];
}

/** Simulates with the right to remove: a refusal must name the packages that would be removed, and dnf names them only in a whole plan. */
export function simulateErasingArgs(wanted: WantedPackages, along: readonly NamedPackage[] = []): YumArguments {
  return ["--allowerasing", ...simulateArgs(wanted, along)];
}

/** The names of everything that the packages need, directly or not. */
export function closureArgs(packages: readonly string[]): YumArguments {
  return ["-q", "repoquery", "--requires", "--resolve", "--recursive", "--qf", "%{name}", ...packages];
}

/** The packed and unpacked sizes; for a bare name, of the latest version. */
export function sizesArgs(packages: readonly string[]): YumArguments {
  const format = "%{name}|%{downloadsize}|%{installsize}";
  return ["-q", "repoquery", "--available", "--latest-limit=1", "--qf", format, ...packages];
}

/** Asks each repository for the file size of exactly that version. */
export function fileSizeArgs(wanted: Pick<WantedPackages, "name" | "to">): YumArguments {
  const locks = "--disableplugin=versionlock";
  return ["-q", locks, "repoquery", "--available", "--showduplicates", "--qf", "%{downloadsize}", exactly(wanted)];
}

/** Leaves the changes and every error. Package scripts print into dnf's log, which we read. */
const quietly: YumArguments = ["--debuglevel=0"];

export type Installing = {
  /** "reinstall": these versions are installed, and dnf would find nothing to do. */
  readonly verb: "install" | "reinstall";
  readonly along: readonly NamedPackage[];
  readonly ignored: readonly string[];
};

export function installArgs(wanted: WantedPackages, { verb, along, ignored }: Installing): YumArguments {
  const only = ignored.map((id) => `--disablerepo=${id}`);
  // Installs from the cache only: the files there have been checked.
  return ["-C", ...quietly, ...plan, ...only, ...lockFlags(wanted), verb, ...exactlyAll(wanted, along)];
}

/**
 * Fetches what an installation would, with the same checks, despite any hold; changes nothing. "reinstall" fetches nothing else, so the
 * administrator's excludes need not count.
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

/** A list of locks can be changed even if no repository was ever reached. */
const lockArgs: YumArguments = ["-q", "-C", "--disablerepo=*", "versionlock"];

function lockFlags({ hold }: WantedPackages): YumArguments {
  return hold === "lifted" ? ["--disableplugin=versionlock"] : [];
}

/** The agent's package, and those repaired with it. */
export function exactlyAll(wanted: Pick<WantedPackages, "name" | "to">, along: readonly NamedPackage[]): readonly string[] {
  return [exactly(wanted), ...along.map(({ name, version }) => exactly({ name, to: version }))];
}

/** Always with an epoch: otherwise dnf accepts any. */
export function exactly({ name, to }: { readonly name: string; readonly to: string }): string {
  return `${name}-${to.includes(":") ? to : `0:${to}`}`;
}

function option(key: string, value: string): YumArguments {
  return [`--setopt=${key}=${value}`];
}
