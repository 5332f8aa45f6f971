import { clusterVersionVariable } from "./project.ts";

/** The words of a command line without `--cluster-version X`, which sets the version to build. */
export function withoutClusterVersion(words: readonly string[]): readonly string[] {
  const at = words.indexOf("--cluster-version");
  if (at === -1) return words;
  const version = words[at + 1];
  if (version === undefined) throw new Error("--cluster-version needs a version, for example 15.4.6");
  process.env[clusterVersionVariable] = version;
  return words.toSpliced(at, 2);
}

/** The words of one kind on a command line; all of that kind if none is given. */
export function named<T extends string>(all: readonly T[], words: readonly string[]): readonly T[] {
  const found = all.filter((one) => words.includes(one));
  return found.length > 0 ? found : all;
}

export function refuseUnknown(words: readonly string[], known: readonly string[]): void {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not one of ${known.join(", ")}`);
}
