import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { Change, WantedFile } from "../manager/manager.ts";

export type Argv = readonly [string, ...string[]];

/** Another run in its last seconds is waited for; a longer one is left to the next pass. */
const lockSeconds = 60;
/** apt's own default differs between versions; a server that is silent for this long will stay so. */
const silenceSeconds = 30;
/** A lost connection is worth another try or two, within one pass. */
const mostRetries = 2;

const acquire = [
  ...option("Acquire::Retries", mostRetries),
  ...option("Acquire::http::Timeout", silenceSeconds),
  ...option("Acquire::https::Timeout", silenceSeconds),
] as const;

/** The same in the simulation and in the real run, or the simulation would prove nothing. */
const plan: readonly string[] = [
  // What is merely recommended is an admin's choice, not an updater's; and so is what nobody depends on any more.
  ...option("APT::Install-Recommends", "false"),
  ...option("APT::Install-Suggests", "false"),
  ...option("APT::Get::AutomaticRemove", "false"),
];

/**
 * What was brought has been looked at; what is fetched now would not be. Not --no-download: with it apt fails at the files of a
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

/** An edited configuration file stays as it is. DEBIAN_FRONTEND does not stop dpkg's own question about it. */
export const keepEdited: readonly string[] = ["--force-confdef", "--force-confold"];

/** Ends with 0 where the order holds, by dpkg's own rules. */
export function compareArgv(left: string, order: string, right: string): Argv {
  return ["dpkg", "--compare-versions", left, order, right];
}

/** The size of what is installed of the package, in KiB. */
export function installedSizeArgv(name: PackageName, database: string): Argv {
  return ["dpkg-query", `--admindir=${database}`, "-W", "-f", "${Installed-Size}\\n", name];
}

/** Names what is left half-way, as any user; it prints nothing about a database that is whole. */
export function auditArgv(database: string): Argv {
  return ["dpkg", `--admindir=${database}`, "--audit"];
}

/** What is known of each package list: its origin, suite and so on. */
export function releasesArgv(): Argv {
  return ["apt-cache", "policy"];
}

/** Every option in force, from all files of apt's configuration: its name, a tab, its value. */
export function configArgv(): Argv {
  return ["apt-config", "dump", "--format", "%f%N%v%n"];
}

export function policyArgv(name: PackageName): Argv {
  return ["apt-cache", "policy", name];
}

/** Which source file each package list on this host came from. */
export function indexesArgv(): Argv {
  return ["apt-get", "indextargets", "--format", "$(SOURCESENTRY)\t$(DESCRIPTION)", "Created-By: Packages"];
}

/** The URL of every file that a refresh of all sources would fetch, fetching none; without a lock, as any user. */
export function fetchedUrlsArgv(): Argv {
  return ["apt-get", "update", "--print-uris"];
}

/** The same call, in which no file may become larger; what writes beyond that is ended. */
export function boundedArgv(largestBytes: number, argv: Argv): Argv {
  return ["prlimit", `--fsize=${largestBytes}`, "--core=0", "--", ...argv];
}

/** The same call of apt with more options; undefined where another program is called. */
export function withOptions([program, ...rest]: Argv, options: readonly string[]): Argv | undefined {
  if (ownPrograms.has(program)) return [program, ...options, ...rest];
  // Behind a program that only says where apt-get is to work, or how large its files may become.
  const at = program === "env" || program === "prlimit" ? rest.indexOf("apt-get") + 1 : 0;
  return at === 0 ? undefined : [program, ...rest.slice(0, at), ...options, ...rest.slice(at)];
}

const ownPrograms: ReadonlySet<string> = new Set(["apt-get", "apt-cache", "apt-config", "apt-mark"]);

/** One more configuration file, read after all others: what it says wins. */
export function configOption(path: string): readonly [string, string] {
  return ["-c", path];
}

/** Refreshes the lists of one source file alone and leaves all others as they are. */
export function refreshArgv(sourceFile: string): Argv {
  return [
    "apt-get",
    "-qq",
    ...acquire,
    ...option("Dir::Etc::sourcelist", sourceFile),
    ...option("Dir::Etc::sourceparts", "-"),
    ...option("APT::Get::List-Cleanup", "0"),
    // As an option and not as --error-on=any, which apt before 2.2 would refuse; it ignores this one, and its output is read.
    ...option("APT::Update::Error-Mode", "any"),
    "update",
  ];
}

export function refreshAllArgv(): Argv {
  return ["apt-get", "-qq", ...acquire, "update"];
}

/** apt logs what it would do even where it does not do it, over the log of what it did last. */
const unlogged: readonly string[] = [...option("Dir::Log::Planner", ""), ...option("Dir::Log::Solver", "")];

/**
 * The beginning of each simulation. Only once quiet: with -qq apt keeps to itself which dependencies are not met. Without --no-remove: a
 * refusal must name what would be removed, and apt names it only in a whole plan.
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

/** The same, by the solver that tells each relation that is not met in a line of its own. */
export function explainedArgv(change: Change, named: readonly NamedVersion[]): Argv {
  const [program, ...rest] = simulateArgv(change, named);
  return [program, ...option("APT::Solver", "internal"), ...rest];
}

export function installArgv(change: Change): Argv {
  return [
    "apt-get",
    // Leaves dpkg's own four lines and every error; the journal of a pass has few lines to spare.
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

/** Whatever is there, in whichever version, and held or not. */
export const anyway: readonly string[] = ["--reinstall", "--allow-downgrades", "--allow-change-held-packages"];

/**
 * Downloads the file into apt's cache, where an installation finds it, and installs nothing: neither a hold nor the version that
 * is there stands in the way of that.
 */
export function fetchArgv(wantedFile: Omit<WantedFile, "is">): Argv {
  const others = (wantedFile.beside ?? []).filter(({ name }) => name !== wantedFile.name);
  const what = [wantedFile, ...others].map(exactly);
  const lock = option("DPkg::Lock::Timeout", lockSeconds);
  return ["apt-get", "-qq", "-y", ...lock, ...acquire, ...plan, ...anyway, "--download-only", "install", ...what];
}

/** The URLs of the files that this call would still fetch; without a lock, as any user. */
export function unfetchedArgv(wantedFile: Omit<WantedFile, "is">): Argv {
  const [program, ...rest] = fetchArgv(wantedFile);
  return [program, "--print-uris", ...rest];
}

/** Downloads the file into that directory, whatever state the package is in; nothing is planned, and no lock is taken. */
export function downloadArgv({ name, version }: Omit<WantedFile, "is">, directory: string): Argv {
  return ["env", `--chdir=${directory}`, "apt-get", "-qq", "-y", ...acquire, "download", wanted({ name, to: version })];
}

/** Where apt keeps what it downloads. */
export function archivesArgv(): Argv {
  return ["apt-config", "shell", "ARCHIVES", "Dir::Cache::archives/d"];
}

/**
 * What a package file says of itself. `dpkg-deb --field` unpacks it first, with rights that whoever asks does not have; this writes
 * nothing. dpkg itself names the member `./control`, other tools `control`.
 */
export function controlFileArgv(file: string): Argv {
  const line = 'dpkg-deb --ctrl-tarfile "$1" | tar --extract --to-stdout --file=- ./control control 2>/dev/null';
  return ["sh", "-c", line, "sh", file];
}

/** The paths that a package file holds, directories with a slash at their end. */
export function contentsArgv(file: string): Argv {
  return ["sh", "-c", 'dpkg-deb --fsys-tarfile "$1" | tar --list --file=-', "sh", file];
}

/** The paths of an installed package. */
export function filesOfArgv(name: PackageName, database: string): Argv {
  return ["dpkg-query", `--admindir=${database}`, "--listfiles", name];
}

/** Where apt keeps the package lists. */
export function listsArgv(): Argv {
  return ["apt-config", "shell", "LISTS", "Dir::State::lists/d"];
}

/** Takes the lock for a moment, without waiting: apt names the holder only when it does not wait. */
export function lockArgv(): Argv {
  return ["apt-get", "-qq", ...option("DPkg::Lock::Timeout", 0), "check"];
}

/** The control data of these exact versions, for what they depend on. */
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

/** One exact version of a package that has to be named, or apt would choose another one. */
export type NamedVersion = { readonly name: string; readonly version: string };

function exactly({ name, version }: NamedVersion): string {
  return `${name}=${version}`;
}

export function option(key: string, value: string | number): readonly [string, string] {
  return ["-o", `${key}=${value}`];
}
