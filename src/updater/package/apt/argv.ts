import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Change, WantedFile } from "../manager/manager.ts";

export type Argv = readonly [string, ...string[]];

/** Waits for another run in its last seconds. If that runs longer, the next pass tries again. */
const lockSeconds = 60;
/** A server that sends nothing for this long will not answer. apt's default differs between versions. */
const silenceSeconds = 30;
/** How often a pass tries a lost connection again. */
const mostRetries = 2;

const acquire = [
  ...option("Acquire::Retries", mostRetries),
  ...option("Acquire::http::Timeout", silenceSeconds),
  ...option("Acquire::https::Timeout", silenceSeconds),
] as const;

/** The simulation and the real run share these options; otherwise the simulation would prove nothing. */
const plan: readonly string[] = [
  // Packages that are only recommended, or no longer needed, are the administrator's choice.
  ...option("APT::Install-Recommends", "false"),
  ...option("APT::Install-Suggests", "false"),
  ...option("APT::Get::AutomaticRemove", "false"),
];

/**
 * Uses files that were fetched and checked; one fetched now would be unchecked. Does not use --no-download: with it, apt fails on files of a
 * repository on the host itself.
 */
const withoutNetwork: readonly string[] = [
  "http",
  "https",
  "mirror+http",
  "mirror+https",
  "tor+http",
  "tor+https",
  "ftp",
].flatMap((method) => option(`Dir::Bin::Methods::${method}`, "false"));

/** Keeps a configuration file that an administrator edited. DEBIAN_FRONTEND does not stop dpkg's own question about it. */
export const keepEdited: readonly string[] = ["--force-confdef", "--force-confold"];

/** Asks dpkg whether the versions have this order; it then exits with 0. */
export function compareArgv(left: string, order: string, right: string): Argv {
  return ["dpkg", "--compare-versions", left, order, right];
}

/** The installed size of the package, in KiB. */
export function installedSizeArgv(name: PackageName, database: string): Argv {
  return ["dpkg-query", `--admindir=${database}`, "-W", "-f", "${Installed-Size}\\n", name];
}

/** Asks for half-installed packages, as any user. Prints nothing if there are none. */
export function auditArgv(database: string): Argv {
  return ["dpkg", `--admindir=${database}`, "--audit"];
}

/** Asks for the origin and suite of each package list. */
export function releasesArgv(): Argv {
  return ["apt-cache", "policy"];
}

/** Asks for every option in force, from all of apt's configuration files: name, tab, value. */
export function configArgv(): Argv {
  return ["apt-config", "dump", "--format", "%f%N%v%n"];
}

export function policyArgv(name: PackageName): Argv {
  return ["apt-cache", "policy", name];
}

/** The source file of each package list on this host. */
export function indexesArgv(): Argv {
  return ["apt-get", "indextargets", "--format", "$(SOURCESENTRY)\t$(DESCRIPTION)", "Created-By: Packages"];
}

/** Asks for the URL of every file that a refresh of all sources would fetch. Fetches none, takes no lock, runs as any user. */
export function fetchedUrlsArgv(): Argv {
  return ["apt-get", "update", "--print-uris"];
}

/** Adds a limit on file sizes to a call. The kernel ends a program that writes more. */
export function boundedArgv(largestBytes: number, argv: Argv): Argv {
  return ["prlimit", `--fsize=${largestBytes}`, "--core=0", "--", ...argv];
}

/** Adds options to a call of apt. Undefined if the call runs another program. */
export function withOptions([program, ...rest]: Argv, options: readonly string[]): Argv | undefined {
  if (ownPrograms.has(program)) return [program, ...options, ...rest];
  // apt-get may follow a program that only sets its root or its limits.
  const at = program === "env" || program === "prlimit" ? rest.indexOf("apt-get") + 1 : 0;
  return at === 0 ? undefined : [program, ...rest.slice(0, at), ...options, ...rest.slice(at)];
}

const ownPrograms: ReadonlySet<string> = new Set(["apt-get", "apt-cache", "apt-config", "apt-mark"]);

/** Names one more configuration file. apt reads it last, so that it wins. */
export function configOption(path: string): readonly [string, string] {
  return ["-c", path];
}

/** Refreshes only the lists of one source file. */
export function refreshArgv(sourceFile: string): Argv {
  return [
    "apt-get",
    "-qq",
    ...acquire,
    ...option("Dir::Etc::sourcelist", sourceFile),
    ...option("Dir::Etc::sourceparts", "-"),
    ...option("APT::Get::List-Cleanup", "0"),
    // Uses an option and not --error-on=any, which apt before 2.2 refuses. Older versions ignore the option, so we read their output.
    ...option("APT::Update::Error-Mode", "any"),
    "update",
  ];
}

export function refreshAllArgv(): Argv {
  return ["apt-get", "-qq", ...acquire, "update"];
}

/** Switches a log off that apt writes even for a simulation, over the one of its last real run. */
const unlogged: readonly string[] = [...option("Dir::Log::Planner", ""), ...option("Dir::Log::Solver", "")];

/**
 * The beginning of each simulation. One -q, because with -qq apt does not name unmet dependencies. No --no-remove, because a refusal must name the
 * packages to remove, and apt names them only in a whole plan.
 */
export const simulation: Argv = [
  "apt-get",
  "-q",
  "-y",
  "-s",
  ...option("APT::Get::Show-User-Simulation-Note", "false"),
  ...unlogged,
  ...plan,
];

export function simulateArgv(change: Change, named: readonly NamedVersion[] = []): Argv {
  return [...simulation, ...changeFlags(change), "install", wanted(change), ...named.map(exactly)];
}

/** Simulates with the solver that prints each unmet relation on its own line. */
export function explainedArgv(change: Change, named: readonly NamedVersion[]): Argv {
  const [program, ...rest] = simulateArgv(change, named);
  return [program, ...option("APT::Solver", "internal"), ...rest];
}

export function installArgv(change: Change): Argv {
  return [
    "apt-get",
    // Prints only dpkg's four lines and the errors, because a pass shows few journal lines.
    "-qq",
    "-y",
    ...option("Dpkg::Use-Pty", "0"),
    ...option("DPkg::Lock::Timeout", lockSeconds),
    ...keepEdited.flatMap((force) => option("Dpkg::Options::", force)),
    ...acquire,
    ...plan,
    "--no-remove",
    ...withoutNetwork,
    ...changeFlags(change),
    "install",
    wanted(change),
  ];
}

/** Installs over anything: any version, held or not. */
export const anyway: readonly string[] = ["--reinstall", "--allow-downgrades", "--allow-change-held-packages"];

/** Downloads the file into apt's cache, where an installation finds it. Installs nothing, so a hold or the installed version does not matter. */
export function fetchArgv(wantedFile: Omit<WantedFile, "is">): Argv {
  const others = (wantedFile.beside ?? []).filter(({ name }) => name !== wantedFile.name);
  const what = [wantedFile, ...others].map(exactly);
  const lock = option("DPkg::Lock::Timeout", lockSeconds);
  return ["apt-get", "-qq", "-y", ...lock, ...acquire, ...plan, ...anyway, "--download-only", "install", ...what];
}

/** Asks for the URLs that this call would still fetch. Takes no lock, runs as any user. */
export function unfetchedArgv(wantedFile: Omit<WantedFile, "is">): Argv {
  const [program, ...rest] = fetchArgv(wantedFile);
  return [program, "--print-uris", ...rest];
}

/** Downloads the file into that directory, whatever the package's state. Makes no plan and takes no lock. */
export function downloadArgv({ name, version }: Omit<WantedFile, "is">, directory: string): Argv {
  return ["env", `--chdir=${directory}`, "apt-get", "-qq", "-y", ...acquire, "download", wanted({ name, to: version })];
}

/** Asks where apt keeps its downloads. */
export function archivesArgv(): Argv {
  return ["apt-config", "shell", "ARCHIVES", "Dir::Cache::archives/d"];
}

/**
 * Asks for the control data of a package file. Writes nothing, while `dpkg-deb --field` first unpacks the file, with rights that the caller lacks.
 * dpkg names the member `./control`, other tools `control`.
 */
export function controlFileArgv(file: string): Argv {
  const line = 'dpkg-deb --ctrl-tarfile "$1" | tar --extract --to-stdout --file=- ./control control 2>/dev/null';
  return ["sh", "-c", line, "sh", file];
}

/** Asks for the paths in a package file. Directories end with a slash. */
export function contentsArgv(file: string): Argv {
  return ["sh", "-c", 'dpkg-deb --fsys-tarfile "$1" | tar --list --file=-', "sh", file];
}

/** Asks for the paths of an installed package. */
export function filesOfArgv(name: PackageName, database: string): Argv {
  return ["dpkg-query", `--admindir=${database}`, "--listfiles", name];
}

/** Asks where apt keeps the package lists. */
export function listsArgv(): Argv {
  return ["apt-config", "shell", "LISTS", "Dir::State::lists/d"];
}

/** Takes the lock for a moment without waiting, because only then apt names the holder. */
export function lockArgv(): Argv {
  return ["apt-get", "-qq", ...option("DPkg::Lock::Timeout", 0), "check"];
}

/** Asks for the control data of these exact versions, which has their dependencies. */
export function controlArgv(packages: readonly { readonly name: string; readonly version: string }[]): Argv {
  return ["apt-cache", "show", "--no-all-versions", ...packages.map(({ name, version }) => `${name}=${version}`)];
}

function changeFlags({ direction, hold }: Change): readonly string[] {
  return [
    ...(direction === "down" ? ["--allow-downgrades"] : []),
    ...(direction === "same" ? ["--reinstall"] : []),
    ...(hold === "lifted" ? ["--allow-change-held-packages"] : []),
  ];
}

function wanted({ name, to }: { readonly name: PackageName; readonly to: PackageVersion }): string {
  return `${name}=${to}`;
}

/** A package that the call must name in one exact version, or apt would choose another. */
export type NamedVersion = { readonly name: string; readonly version: string };

function exactly({ name, version }: NamedVersion): string {
  return `${name}=${version}`;
}

export function option(key: string, value: string | number): readonly [string, string] {
  return ["-o", `${key}=${value}`];
}
