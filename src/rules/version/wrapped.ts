import { parsed, type Shape } from "../shape/shape.ts";
import { compareVersions, parseVersion, type Version } from "./version.ts";

declare const packageVersionBrand: unique symbol;

/** A version as the package manager writes it: epoch, upstream version, revision. */
export type PackageVersion = string & { readonly [packageVersionBrand]: true };

/** Allows only the characters of deb and rpm versions, so that no version looks like an option or a path. */
const packageVersionPattern = /^[0-9][A-Za-z0-9.+:~^_-]{0,255}$/;

export function parsePackageVersion(text: string): PackageVersion | undefined {
  return packageVersionPattern.test(text) ? (text as PackageVersion) : undefined;
}

export const packageVersion: Shape<PackageVersion> = parsed(parsePackageVersion, "a package version");

/** Common names of prereleases. */
const prereleaseWord = /(?<![a-z])(?:alpha|beta|dev|nightly|pre|preview|rc|snapshot)(?![a-z])/i;

/**
 * The semantic version in a package version: `5:15.4.6~rc.1-1` gives `15.4.6-rc.1`. Never takes a prerelease for its release: if a package version
 * may be either, it gives nothing.
 */
export function wrappedVersion(packaged: PackageVersion): Version | undefined {
  const upstream = withoutRevision(packaged.replace(/^\d+:/, ""));
  // Debian goes back to an older version by such a name: 15.4.6+really15.4.5 is 15.4.5.
  const meant = upstream.replace(/^.*\+really/, "");
  const version = parseVersion(meant.replace(/[~_]/, "-"));
  return version === undefined || namesPrereleaseInBuild(version) ? undefined : version;
}

/** Whether the package contains that version, in any package revision. */
export function isOfVersion(packaged: PackageVersion, version: Version): boolean {
  const wrapped = wrappedVersion(packaged);
  return wrapped !== undefined && compareVersions(wrapped, version) === 0;
}

/**
 * Cuts the revision off. The last hyphen starts one if a digit, or openSUSE's lp or bp, follows it. A revision that names a prerelease makes the
 * version a prerelease: older rpm packages write `15.4.6-0.rc.1.el9`.
 */
function withoutRevision(text: string): string {
  const revision = /-(?:lp|bp)?\d[^-]*$/.exec(text);
  return revision === null || prereleaseWord.test(revision[0]) ? text : text.slice(0, revision.index);
}

/** Whether the build names a prerelease: semver ignores it when it compares, so `15.4.6+rc1` would equal 15.4.6. */
function namesPrereleaseInBuild(version: Version): boolean {
  const start = version.indexOf("+");
  return start >= 0 && prereleaseWord.test(version.slice(start));
}
