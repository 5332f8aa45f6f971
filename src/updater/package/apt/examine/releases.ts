/** A package list in `apt-cache policy`, with the repository's own data: o origin, l label, a suite, n codename, c component. */
export type Release = {
  readonly list: string;
  readonly site: string;
  readonly fields: Readonly<Record<string, string>>;
};

export function parseReleases(output: string): readonly Release[] {
  const releases: Release[] = [];
  for (const line of output.split("\n")) {
    // apt shows an address for a list, and a path for dpkg's own database.
    const list = /^ *-?\d+ ([^/\s].*)$/.exec(line)?.[1];
    if (list !== undefined) releases.push({ list, site: "", fields: {} });
    const last = releases.at(-1);
    const [, key, value = ""] = /^ +(release|origin) (.*)$/.exec(line) ?? [];
    if (last === undefined || key === undefined) continue;
    releases[releases.length - 1] = key === "origin" ? { ...last, site: value } : { ...last, fields: fieldsIn(value) };
  }
  return releases;
}

/** Reads `v=12,o=Debian,a=stable`, where a value may contain a comma. */
function fieldsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(text.split(/,(?=[a-z]=)/).map((field) => [field.slice(0, 1), field.slice(2)]));
}
