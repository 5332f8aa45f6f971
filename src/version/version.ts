import semver from "semver";

declare const versionBrand: unique symbol;

/** A semantic version without a leading v, as the channel serves it and as the agent reports it. */
export type Version = string & { readonly [versionBrand]: true };

/** Longer than any version, short enough to be quoted whole. */
const longestVersion = 128;

/** Strict: three numbers, optional prerelease and build; one leading v is dropped, nothing else is forgiven. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > longestVersion) return undefined;
  const bare = text.startsWith("v") ? text.slice(1) : text;
  // semver would trim white space and drop a second v; what is read must be the whole text.
  if (!/^\d\S*$/.test(bare)) return undefined;
  return semver.parse(bare, { loose: false }) === null ? undefined : (bare as Version);
}

/** Semver precedence; build metadata does not count. */
export function compareVersions(left: Version, right: Version): -1 | 0 | 1 {
  return semver.compare(left, right);
}

export function majorOf(version: Version): number {
  return semver.major(version);
}
