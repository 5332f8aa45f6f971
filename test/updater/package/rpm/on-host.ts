import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RunCommand } from "../../../../src/machine/processes/command.ts";
import type { Change, FileOnHost } from "../../../../src/updater/package/manager/manager.ts";
import { rpmCalls, type RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";
import { installFiles } from "../../../../src/updater/package/rpm/install-files.ts";
import type { InstalledRow } from "../../../../src/updater/package/rpm/installed.ts";
import { packageVersionOf } from "../../../../src/updater/package/rpm/version.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { runBehind } from "../run.ts";
import { asRoot } from "../scratch.ts";

const exec = promisify(execFile);

export const agent = "svc-ent" as PackageName;

export function change(to: string, more: Partial<Change> = {}): Change {
  return { name: agent, to: to as PackageVersion, direction: "up", hold: "none", beside: [], ...more };
}

export function fileOf(name: string, version: string, path: string): FileOnHost {
  return { name: name as PackageName, version: version as PackageVersion, path };
}

/** What rpm's database has of a package: its version, with the release 1 unless it says another. */
export function row(text: string, instance: number = 1): InstalledRow {
  const [version = "", release = "1"] = text.split("-");
  return { epoch: "0", version, release, architecture: "noarch", instance };
}

/** A change of the agent alone. */
export function installFile(calls: RpmCalls, wanted: Change, path: string): Promise<void> {
  return installFiles(calls, wanted, [fileOf(agent, wanted.to, path)]);
}

/** A package to build: its name and version, more lines of its description, and scripts in rpm's own language. */
export type Built = {
  readonly name?: string;
  readonly version: string;
  readonly epoch?: number;
  readonly tags?: string;
  /** A file besides, with the package's name in it. */
  readonly owns?: string;
  readonly scripts?: Readonly<Record<string, string>>;
};

/** What a script does that is killed together with its rpm, as by a power cut. */
export const cut = `posix.kill(posix.getprocessid("pid"), 9)`;

/** A package takes rpm a quarter of a second to build, and a machine that is busy with other tests ten times as long. */
export const timeout = 60_000;

/** What is missing for these tests, in words, after a warning; undefined: nothing. */
export function missingTools(): string | undefined {
  const missing = missingForRpm();
  if (missing !== undefined) console.warn(`SKIPPED: the tests with the real rpm: ${missing}`);
  return missing;
}

function missingForRpm(): string | undefined {
  const missing = ["rpm", "rpmbuild", "rpmkeys"].filter((tool) => spawnSync(tool, ["--version"]).error !== undefined);
  if (missing.length > 0) return `${missing.join(", ")} not installed (rpm on Debian)`;
  if (asRoot.length > 0 && spawnSync("unshare", ["-r", "true"]).status !== 0) return "neither root nor a user namespace";
  return undefined;
}

/** A root of its own with rpm's database, and packages built for it; gone at the end. */
export type RpmHost = {
  readonly root: string;
  readonly calls: RpmCalls & { readonly root: string };
  /** What rpm was let do, by the words behind its root. */
  readonly acted: string[];
  readonly build: (built: Built) => Promise<string>;
  /** As an admin's rpm, whatever its status. */
  readonly rpm: (...args: readonly string[]) => Promise<string>;
  readonly versions: () => Promise<readonly (string | undefined)[]>;
  /** What the agent's file says of its version. */
  readonly content: () => Promise<string>;
  readonly remove: () => Promise<void>;
};

export async function rpmHost(): Promise<RpmHost> {
  const directory = await mkdtemp(join(tmpdir(), "svc-upgrade-rpm-"));
  const [root, home] = [join(directory, "root"), join(directory, "home")];
  await mkdir(join(root, "tmp"), { recursive: true });
  await mkdir(home);
  // Debian's rpm has its database elsewhere, and advises against itself.
  await writeFile(join(home, ".rpmmacros"), "%_dbpath /var/lib/rpm\n");
  await writeFile(join(home, ".popt"), "rpm\talias -U\t--upgrade --force-debian\nrpm\talias -e\t--erase --force-debian\n");
  const run: RunCommand = (command) => runBehind(asRoot)({ ...command, env: { ...command.env, HOME: home } });
  const acted: string[] = [];
  const transact = async ({ argv, env }: Parameters<Parameters<typeof rpmCalls>[0]["transact"]>[0]): ReturnType<RunCommand> => {
    acted.push(argv.slice(3).join(" "));
    return run({ argv, env, timeoutMs: 60_000 });
  };
  const calls = { ...rpmCalls({ run, root, transact }), root, patience: { forMs: 300, everyMs: 50 } };
  const rpm = async (...args: readonly string[]): Promise<string> => {
    const result = await run({ argv: ["rpm", "--root", root, ...args], env: { PATH: "/usr/bin:/bin" }, timeoutMs: 60_000 });
    return result.kind === "exited" ? `${result.stdout}${result.stderr}` : result.kind;
  };
  await rpm("--initdb");
  return {
    root,
    calls,
    acted,
    build: (built) => build(directory, built),
    rpm,
    versions: async () => (await calls.rows(agent)).map(packageVersionOf),
    content: () => readFile(join(root, "usr/share/svc-ent/version"), "utf8"),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

async function build(directory: string, { name = agent, version, epoch, tags = "", owns, scripts = {} }: Built): Promise<string> {
  const work = await mkdtemp(join(directory, "build-"));
  const spec = [
    `Name: ${name}`,
    ...(epoch === undefined ? [] : [`Epoch: ${epoch}`]),
    `Version: ${version}`,
    "Release: 1",
    "Summary: for a test",
    "License: none",
    "BuildArch: noarch",
    "AutoReqProv: no",
    tags,
    "%description",
    "%{summary}.",
    "%install",
    `mkdir -p %{buildroot}/usr/share/${name} %{buildroot}/etc`,
    `echo ${version} >%{buildroot}/usr/share/${name}/version`,
    `echo ${version} >%{buildroot}/etc/${name}.conf`,
    ...(owns === undefined ? [] : [`mkdir -p $(dirname %{buildroot}${owns})`, `echo ${name} >%{buildroot}${owns}`]),
    ...Object.entries(scripts).map(([script, text]) => `%${script} -p <lua>\n${text}`),
    "%files",
    `/usr/share/${name}/version`,
    `%config(noreplace) /etc/${name}.conf`,
    ...(owns === undefined ? [] : [owns]),
  ];
  await writeFile(join(work, "spec"), `${spec.join("\n")}\n`);
  const defined = { _topdir: work, __os_install_post: "%{nil}", _build_id_links: "none" };
  const options = Object.entries(defined).flatMap(([key, value]) => ["--define", `${key} ${value}`]);
  await exec("rpmbuild", ["--quiet", "-bb", ...options, join(work, "spec")]);
  return join(work, "RPMS/noarch", `${name}-${version}-1.noarch.rpm`);
}
