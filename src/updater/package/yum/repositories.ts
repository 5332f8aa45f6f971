/** A repository in `dnf repolist -v --all`, with the host's variables filled in. */
export type YumRepository = { readonly id: string; readonly urls: readonly string[] };

export type Repositories = {
  readonly all: readonly YumRepository[];
  /** The ids of enabled repositories without lists on this host. */
  readonly ignored: readonly string[];
};

export function parseRepositories(output: string): Repositories {
  const all: { readonly id: string; readonly urls: string[] }[] = [];
  const ignored: string[] = [];
  for (const line of output.split("\n")) {
    const [, key = "", value = ""] = /^(Repo-[a-z]+|Ignoring repositories) *: (.*)$/.exec(line) ?? [];
    if (key === "Repo-id") all.push({ id: value, urls: [] });
    if (key === "Repo-baseurl" || key === "Repo-mirrors" || key === "Repo-metalink") all.at(-1)?.urls.push(...urlsIn(value));
    if (key === "Ignoring repositories") ignored.push(...value.split(", "));
  }
  return { all, ignored };
}

/** Reads `http://one/, http://two/`, or for a mirror list `http://one/ (4 more)`. */
function urlsIn(value: string): readonly string[] {
  return value.match(/[a-z+]+:\/\/[^\s,]+/g) ?? [];
}
