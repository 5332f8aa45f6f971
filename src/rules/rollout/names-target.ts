import { compareVersions, parseVersion, type Version } from "../version/version.ts";
import { isOfVersion, parsePackageVersion } from "../version/wrapped.ts";

/** More than a fleet has. Without a limit, hosts that lie could fill the memory. */
const mostKnown = 1000;

/** Tells whether a version, as a package or the channel writes it, is the target. */
export function namesTarget(target: Version): (text: string) => boolean {
  // Remembers the answers: a fleet has few versions, and parsing one takes longer than judging a host.
  const known = new Map<string, boolean>([[target, true]]);
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const answer = isNamed(text, target);
    if (known.size < mostKnown) known.set(text, answer);
    return answer;
  };
}

function isNamed(text: string, target: Version): boolean {
  const version = parseVersion(text);
  if (version !== undefined && compareVersions(version, target) === 0) return true;
  const packaged = parsePackageVersion(text);
  return packaged !== undefined && isOfVersion(packaged, target);
}
