import * as fc from "fast-check";
import { parseVersion, type Version } from "../../../src/rules/version/version.ts";
import { parsePackageVersion, type PackageVersion } from "../../../src/rules/version/wrapped.ts";

/** A version that a test is sure of. */
export function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is no version`);
  return parsed;
}

/** A package version that a test is sure of. */
export function packageVersion(text: string): PackageVersion {
  const parsed = parsePackageVersion(text);
  if (parsed === undefined) throw new Error(`${text} is no package version`);
  return parsed;
}

const number: fc.Arbitrary<number> = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 2_000_000 }));
const release = fc.tuple(number, number, number).map((parts) => parts.join("."));
const word = fc.stringMatching(/^[a-zA-Z-][0-9A-Za-z-]{0,4}$/);
const identifiers = fc.array(fc.oneof(number.map(String), word), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("."));

export const releaseText: fc.Arbitrary<string> = release;
const prereleaseText: fc.Arbitrary<string> = fc.tuple(release, identifiers).map((parts) => parts.join("-"));

/** Any version, as the semantic versioning page has them; small numbers are frequent, so that some are equal. */
export const anyVersion: fc.Arbitrary<Version> = fc
  .tuple(fc.oneof(releaseText, prereleaseText), fc.option(identifiers))
  .map(([text, build]) => version(build === null ? text : `${text}+${build}`));
