import { parseVersion, type Version } from "./version.ts";

/** Enough, because programs print a line or two around their version. The rest is ignored. */
const longestSpoken = 4096;

/** The version in the output of a program's `version` command: the first word that is a version. */
export function spokenVersion(output: string): Version | undefined {
  const heard = output.length > longestSpoken ? output.slice(0, longestSpoken).replace(/\S+$/, "") : output;
  for (const word of heard.split(/[\s,;()]+/)) {
    const version = parseVersion(word);
    if (version !== undefined) return version;
  }
  return undefined;
}
