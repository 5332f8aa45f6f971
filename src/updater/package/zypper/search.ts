/** A row of `zypper search --details`: one version of one package in one repository. */
export type FoundPackage = {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** The repository's name, or its alias if zypper is set to show aliases. */
  readonly repository: string;
  readonly isInstalled: boolean;
  readonly isLocked: boolean;
};

/** The repository column of a package that is installed but in no repository. */
const systemPackages = "(System Packages)";

/** Keeps zypper's order: by the repository's priority, then by version, the highest first. */
export function parseFound(output: string): readonly FoundPackage[] {
  return output.split("\n").flatMap((line) => {
    // An administrator chose the name in the last column, so it may contain anything.
    const match = /^([ivl.!+ ]{1,3}) \| (\S+) +\| package \| (\S+) +\| (\S+) +\| (.*)$/.exec(line);
    if (match === null) return [];
    const [, status = "", name = "", version = "", architecture = "", repository = ""] = match;
    return [
      {
        name,
        version,
        architecture,
        repository: repository.trimEnd(),
        isInstalled: status.includes("i"),
        isLocked: status.includes("l"),
      },
    ];
  });
}

export function isOffered({ repository }: FoundPackage): boolean {
  return repository !== systemPackages;
}
