import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { Planned } from "../manager/manager.ts";
import type { NamedPackage } from "../rpm/half-way.ts";
import type { YumArguments } from "./calls.ts";
import { listsDirectory } from "./lists.ts";

/** A server that sends nothing for this long will not answer. */
const silenceSeconds = 30;
/** How often a pass tries a lost connection again. */
const mostRetries = 2;

/** Overrides the host's verbosity, because we read the output. */
const printed: YumArguments = ["--color=never", "--debuglevel=2", "--errorlevel=3"];

/** The simulation and the real run share these options; otherwise the simulation would prove nothing. */
const plan: YumArguments = [
  // Recommended packages are the administrator's choice.
  ...option("install_weak_deps", "False"),
  ...option("clean_requirements_on_remove", "False"),
  // Uses the present lists: only a refresh asks for newer ones.
  ...option("*.metadata_expire", "-1"),
  ...option("*.skip_if_unavailable", "True"),
];

/** For another root: uses its configuration and repositories, but no plugins, which would be this machine's. */
export function belowRoot(root: string): YumArguments {
  return root === "/" ? [] : [`--installroot=${root}`, "--noplugins"];
}

/** Options for a question. The lists were verified when they were fetched, and only root may read the keys. */
export function askArgs(lists: string | undefined, args: YumArguments): YumArguments {
  const places = lists === undefined ? [] : ["cachedir", "persistdir", "logdir"].flatMap((key) => option(key, lists));
  return ["-C", ...printed, ...places, ...option("*.repo_gpgcheck", "False"), ...plan, ...args];
}

export type YumAction = {
  /** A file with the keys that rpm already trusts, so that dnf imports no other key. */
  readonly keyFile: string;
  readonly root: string;
};

/** Options for a change of the host. */
export function actArgs({ keyFile, root }: YumAction, args: YumArguments): YumArguments {
  return [
    "-y",
    ...printed,
    // dnf would wait for a lock without end, so we wait instead.
    ...option("exit_on_lock", "True"),
    // dnf reads this path on the machine, even for another root.
    ...(root === "/" ? option("cachedir", listsDirectory) : []),
    ...option("*.gpgkey", `file://${keyFile}`),
    ...option("*.timeout", String(silenceSeconds)),
    ...option("*.retries", String(mostRetries)),
    ...args,
  ];
}

/** Clears the proxies in dnf's configuration, because they would win over our variables. */
export function withoutProxy(repositories: readonly string[]): YumArguments {
  return repositories.flatMap((id) => ["proxy", "proxy_username", "proxy_password"].flatMap((key) => option(`${id}.${key}`, "")));
}

/** Asks for the package in all repositories, for every architecture, even if it is held. */
export function offersArgs(name: PackageName): YumArguments {
  const format = ["%{name}", "%{epoch}", "%{version}", "%{release}", "%{arch}", "%{repoid}"].join("|");
  return ["-q", "--disableplugin=versionlock", "repoquery", "--available", "--showduplicates", "--qf", format, name];
}

/** Asks for the URLs of exactly these packages' files. */
export function locationsArgs(planned: readonly Planned[]): YumArguments {
  const names = planned.map(({ name, version, architecture }) => {
    const whole = exactly({ name, to: version });
    return architecture === undefined ? whole : `${whole}.${architecture}`;
  });
  return ["-q", "--disableplugin=versionlock", "repoquery", "--available", "--location", ...names];
}

/** Asks for every repository and its addresses. dnf shows a repository without lists on this host as ignored. */
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
  /** "lifted": this call ignores the list of version locks. */
  readonly hold: "none" | "lifted";
};

export function simulateArgs(wanted: WantedPackages, along: readonly NamedPackage[] = []): YumArguments {
  return ["--assumeno", ...lockFlags(wanted), "install", ...exactlyAll(wanted, along)];
}

/** Simulates with the right to remove: a refusal must name the packages that would be removed, and dnf names them only in a whole plan. */
export function simulateErasingArgs(wanted: WantedPackages, along: readonly NamedPackage[] = []): YumArguments {
  return ["--allowerasing", ...simulateArgs(wanted, along)];
}

/** Asks for the names of all packages that these need, directly or through others. */
export function closureArgs(packages: readonly string[]): YumArguments {
  return ["-q", "repoquery", "--requires", "--resolve", "--recursive", "--qf", "%{name}", ...packages];
}

/** Asks for the packed and unpacked sizes. A name without a version means the latest. */
export function sizesArgs(packages: readonly string[]): YumArguments {
  const format = "%{name}|%{downloadsize}|%{installsize}";
  return ["-q", "repoquery", "--available", "--latest-limit=1", "--qf", format, ...packages];
}

/** Asks each repository for the file size of exactly that version. */
export function fileSizeArgs(wanted: Pick<WantedPackages, "name" | "to">): YumArguments {
  const locks = "--disableplugin=versionlock";
  return ["-q", locks, "repoquery", "--available", "--showduplicates", "--qf", "%{downloadsize}", exactly(wanted)];
}

/** Prints only the changes and errors. Package scripts print into dnf's log, which we read. */
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
 * Fetches the packages of an installation with the same checks, even if a lock holds them. "reinstall" fetches one package only, so the
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

/** Changes the list of locks without any repository, so that no list has to be fetched first. */
const lockArgs: YumArguments = ["-q", "-C", "--disablerepo=*", "versionlock"];

function lockFlags({ hold }: WantedPackages): YumArguments {
  return hold === "lifted" ? ["--disableplugin=versionlock"] : [];
}

/** The agent's package, and those repaired with it, each with its version. */
export function exactlyAll(wanted: Pick<WantedPackages, "name" | "to">, along: readonly NamedPackage[]): readonly string[] {
  return [exactly(wanted), ...along.map(({ name, version }) => exactly({ name, to: version }))];
}

/** Always writes an epoch, because dnf would accept any epoch without one. */
export function exactly({ name, to }: { readonly name: string; readonly to: string }): string {
  return `${name}-${to.includes(":") ? to : `0:${to}`}`;
}

function option(key: string, value: string): YumArguments {
  return [`--setopt=${key}=${value}`];
}
