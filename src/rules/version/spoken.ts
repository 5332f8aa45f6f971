import { parseVersion, type Version } from "./version.ts";

/** Programs print a line or two around their version. The rest of a longer output is ignored. */
const longestSpoken = 4096;

/** The version in a program's `version` output: the first word that is a version. */
export function spokenVersion(output: string): Version | undefined {
  const heard = output.length > longestSpoken ? output.slice(0, longestSpoken).replace(/\S+$/, "") : output;
  for (const word of heard.split(/[\s,;()]+/)) {
    const version = parseVersion(word);
    if (version !== undefined) return version;
  }
  return undefined;
}
