/** A row of `zypper search --details`: one version of one package in one repository. */
export type FoundPackage = {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** Its name, or its alias if zypper is told to show that. */
  readonly repository: string;
  readonly isInstalled: boolean;
  readonly isLocked: boolean;
};

/** Installed, but in no repository. */
const systemPackages = "(System Packages)";

/** In zypper's order of choice: by the repository's priority, then the higher version. */
export function parseFound(output: string): readonly FoundPackage[] {
  return output.split("\n").flatMap((line) => {
    // The last column is free text of an administrator's.
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
