import { parsePackageVersion, type PackageVersion } from "../../../rules/version/wrapped.ts";

/** The output of `apt-cache policy NAME`: apt's own choice, and every version that apt knows. */
export type AptPolicy = { readonly candidate: string | undefined; readonly known: readonly KnownVersion[] };

type KnownVersion = {
  readonly version: PackageVersion;
  readonly priority: number;
  /** The package lists that offer it, as apt describes them; empty if it is only installed. */
  readonly lists: readonly string[];
};

export function parsePolicy(output: string): AptPolicy {
  let candidate: string | undefined;
  const known: (KnownVersion & { readonly lists: string[] })[] = [];
  for (const line of output.split("\n")) {
    candidate ??= /^ {2}Candidate: (\d\S*)$/.exec(line)?.[1];
    const [, row = "", priority] = /^(?: \*\*\* | {5})(\S+) (-?\d+)(?: \(.*\))?$/.exec(line) ?? [];
    const version = parsePackageVersion(row);
    if (version !== undefined) known.push({ version, priority: Number(priority), lists: [] });
    // apt shows an address for a list, and a path for dpkg's own database.
    const list = /^ {6,}-?\d+ ([^/\s].*)$/.exec(line)?.[1];
    if (list !== undefined) known.at(-1)?.lists.push(list);
  }
  return { candidate, known };
}

/**
 * The versions that repositories offer: apt's own choice first, then by priority, then the higher version. With a negative priority, an administrator
 * has forbidden a version.
 */
export function offersOf({ candidate, known }: AptPolicy): readonly PackageVersion[] {
  const offered = known.filter(({ lists, priority }) => lists.length > 0 && priority >= 0);
  const rank = ({ version, priority }: KnownVersion): number => (version === candidate ? Number.MAX_SAFE_INTEGER : priority);
  // The sort keeps apt's order of equal priorities, the higher version first.
  const ordered = offered.toSorted((left, right) => rank(right) - rank(left));
  return [...new Set(ordered.map(({ version }) => version))];
}

/** The source files whose lists offer any version of the package, from the rows of `apt-get indextargets`. */
export function sourceFilesOf({ known }: AptPolicy, indexes: string): readonly string[] {
  const lists = new Set(known.flatMap((version) => version.lists));
  const files = indexes.split("\n").flatMap((row) => {
    const [entry = "", description = ""] = row.split("\t");
    return lists.has(description) ? [entry.replace(/:\d+$/, "")] : [];
  });
  return [...new Set(files)];
}
