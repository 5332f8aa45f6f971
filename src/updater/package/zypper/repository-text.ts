/** The first line of a list of addresses in a repository file; indented lines continue it. */
const startOfUrls = /^\s*(?:baseurl|mirrorlist|metalink)\s*=/;
const continuation = /^\s+\S/;

/** Splits a repository file into sections, each from its `[alias]` on. Text before the first alias is a section too. */
export function sectionsOf(text: string): readonly string[] {
  return text.split(/^(?=\[)/m);
}

/** Returns the section with each address replaced. */
export function mapUrls(section: string, replace: (url: string) => string): string {
  let isInUrls = false;
  return section
    .split("\n")
    .map((line) => {
      const starts = startOfUrls.exec(line)?.[0];
      isInUrls = starts !== undefined || (isInUrls && continuation.test(line));
      if (!isInUrls) return line;
      return `${starts ?? ""}${line.slice(starts?.length ?? 0).replace(/\S+/g, replace)}`;
    })
    .join("\n");
}

export function urlsOf(section: string): readonly string[] {
  const urls: string[] = [];
  mapUrls(section, (url) => {
    urls.push(url);
    return url;
  });
  return urls;
}

/** The host's variables: `$releasever`, `${releasever}`, `${releasever:-15}`. */
export const variable: RegExp = /\$(?:\w+|\{[^}]*\})/g;
