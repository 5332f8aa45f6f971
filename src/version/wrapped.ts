import { parseVersion, type Version } from "./version.ts";

declare const packageVersionBrand: unique symbol;

/** A version as the package manager writes it: epoch, upstream version, revision. */
export type PackageVersion = string & { readonly [packageVersionBrand]: true };

/** What deb and rpm allow in a version, so that none can be taken for an option or a path. */
const packageVersionPattern = /^[0-9][A-Za-z0-9.+:~^_-]{0,255}$/;

export function parsePackageVersion(text: string): PackageVersion | undefined {
  return packageVersionPattern.test(text) ? (text as PackageVersion) : undefined;
}

/**
 * The semantic version that a package version wraps: `5:15.4.6~rc.1-1` wraps `15.4.6-rc.1`.
 * The last hyphen starts a revision only where a digit follows it; `15.4.6-rc.1` is a prerelease and never 15.4.6.
 */
export function wrappedVersion(packageVersion: PackageVersion): Version | undefined {
  const withoutEpoch = packageVersion.replace(/^\d+:/, "");
  const upstream = withoutEpoch.replace(/-\d[^-]*$/, "");
  return parseVersion(upstream.replace(/[~_]/, "-"));
}
