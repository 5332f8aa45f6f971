import { parsePackageVersion, type PackageVersion } from "../../../rules/version/wrapped.ts";

/** The parts of a version as rpm has them. An epoch of 0 and none are the same. */
export type RpmVersion = { readonly epoch: string; readonly version: string; readonly release: string };

/**
 * One spelling for one version, whoever told it: `15.4.6-1.el9`, `5:15.4.6-1.el9`. It is what the managers take behind the
 * name and a hyphen, to mean this version alone.
 */
export function packageVersionOf({ epoch, version, release }: RpmVersion): PackageVersion | undefined {
  return parsePackageVersion(`${/^0*$/.test(epoch) ? "" : `${epoch}:`}${version}-${release}`);
}

/** `noarch` is for every machine. */
export function isOwnArchitecture(architecture: string | undefined): boolean {
  return architecture === "noarch" || architecture === ownArchitecture;
}

const names: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };

/** As rpm calls it. */
const ownArchitecture = names[process.arch] ?? process.arch;
