import type { PackageVersion } from "../../../rules/version/wrapped.ts";

/** rpm's own order: by epoch, then version, then release. */
export function compareRpmVersions(left: PackageVersion, right: PackageVersion): number {
  const [leftEpoch, leftVersion, leftRelease] = partsOf(left);
  const [rightEpoch, rightVersion, rightRelease] = partsOf(right);
  return (
    compareDigits(leftEpoch, rightEpoch) || compareTexts(leftVersion, rightVersion) || compareTexts(leftRelease, rightRelease)
  );
}

function partsOf(packageVersion: PackageVersion): readonly [epoch: string, version: string, release: string] {
  const [, epoch = "0", version = "", release = ""] = /^(?:(\d+):)?([^-]*)(?:-(.*))?$/.exec(packageVersion) ?? [];
  return [epoch, version, release];
}

/** The parts that are compared. Any other character only separates them. */
const segment = /[0-9]+|[A-Za-z]+|~|\^/g;

/**
 * Compares segment by segment, as rpmvercmp does. A tilde is lower than everything, even the end. A caret is higher than the end, and lower than all
 * else. A number is higher than a word. Numbers compare by value, words by their letters, and more segments are higher.
 */
function compareTexts(left: string, right: string): number {
  const lefts = left.match(segment) ?? [];
  const rights = right.match(segment) ?? [];
  for (let at = 0; at < Math.max(lefts.length, rights.length); at += 1) {
    const order = compareSegments(lefts[at], rights[at]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareSegments(left: string | undefined, right: string | undefined): number {
  const byKind = rank(left) - rank(right);
  if (byKind !== 0 || left === undefined || right === undefined) return byKind;
  return /\d/.test(left) ? compareDigits(left, right) : compareLetters(left, right);
}

function rank(text: string | undefined): number {
  if (text === undefined) return 1;
  if (text === "~") return 0;
  if (text === "^") return 2;
  return /\d/.test(text) ? 4 : 3;
}

/** Compares digits as text, because a build date with its time is too large for an exact number. */
function compareDigits(left: string, right: string): number {
  const [shorter, longer] = [left.replace(/^0+/, ""), right.replace(/^0+/, "")];
  return shorter.length - longer.length || compareLetters(shorter, longer);
}

function compareLetters(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
