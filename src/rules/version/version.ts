// Imports only three of semver's files: loading all of it takes some 2 ms in every pass.
import compare from "semver/functions/compare.js";
import major from "semver/functions/major.js";
import parse from "semver/functions/parse.js";
import { parsed, type Shape } from "../shape/shape.ts";

declare const versionBrand: unique symbol;

/** A semantic version without a leading v, as the channel serves it and as the agent reports it. */
export type Version = string & { readonly [versionBrand]: true };

/** Longer than any real version, but short enough to quote without a cut. */
const longestVersion = 128;

/** Accepts three numbers with an optional prerelease and build, and one leading v, which it drops. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > longestVersion) return undefined;
  const bare = text.startsWith("v") ? text.slice(1) : text;
  // semver would trim white space and drop a second v, but the whole text must be the version.
  if (!/^\d\S*$/.test(bare)) return undefined;
  return parse(bare, { loose: false }) === null ? undefined : (bare as Version);
}

export const version: Shape<Version> = parsed(parseVersion, "a semantic version");

/** Semver precedence; ignores build metadata. */
export function compareVersions(left: Version, right: Version): -1 | 0 | 1 {
  return compare(left, right);
}

export function majorOf(of: Version): number {
  return major(of);
}
