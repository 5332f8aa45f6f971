import { parsePackageVersion, type PackageVersion } from "../../../rules/version/wrapped.ts";

/** The parts of a version in rpm. An epoch of 0 equals a missing one. */
export type RpmVersion = { readonly epoch: string; readonly version: string; readonly release: string };

/**
 * One spelling for each version, whatever the source: `15.4.6-1.el9`, `5:15.4.6-1.el9`. The managers accept it after the name and a hyphen for
 * exactly this version.
 */
export function packageVersionOf({ epoch, version, release }: RpmVersion): PackageVersion | undefined {
  return parsePackageVersion(`${/^0*$/.test(epoch) ? "" : `${epoch}:`}${version}-${release}`);
}

/** `noarch` runs on every machine. */
export function isOwnArchitecture(architecture: string | undefined): boolean {
  return architecture === "noarch" || architecture === ownArchitecture;
}

const names: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };

/** This machine's architecture, as rpm spells it. */
const ownArchitecture = names[process.arch] ?? process.arch;
