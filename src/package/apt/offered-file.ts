import type { WantedFile } from "../manager.ts";

export type OfferedFile = {
  /** As apt names it in its cache. */
  readonly name: string;
  readonly algorithm: "sha256" | "sha512";
  readonly hash: string;
};

/** Out of what `apt-cache show` prints of that version; undefined: it is merely installed, or not known at all. */
export function offeredFile(control: string, { name, version }: Pick<WantedFile, "name" | "version">): OfferedFile | undefined {
  const paragraph = control.split(/\n\s*\n/).find((text) => /^Filename: /m.test(text));
  const architecture = /^Architecture: ([a-z0-9-]+)$/m.exec(paragraph ?? "")?.[1];
  const [, bits, hash] = /^SHA(256|512): ([0-9a-f]{64,128})$/m.exec(paragraph ?? "") ?? [];
  if (architecture === undefined || hash === undefined) return undefined;
  const file = `${name}_${version.replaceAll(":", "%3a")}_${architecture}.deb`;
  return { name: file, algorithm: bits === "256" ? "sha256" : "sha512", hash };
}

/** The directory, with a slash at its end, as `apt-config shell` quotes it. */
export function archivesFrom(shell: string): string {
  const quoted = /^ARCHIVES='(.*)'$/m.exec(shell)?.[1] ?? "/var/cache/apt/archives/";
  return quoted.replaceAll(`'\\''`, "'");
}

/** Where a repository on this host has the file, by what `apt-get --print-uris` prints: `'file:/srv/x/a_1_all.deb' a_1_all.deb 20672 MD5Sum:…`. */
export function localFileIn(uris: string, name: string): string | undefined {
  for (const line of uris.split("\n")) {
    const [, path = "", file] = /^'file:(?:\/\/(?=\/))?(\/[^']*)' (\S+) /.exec(line) ?? [];
    if (file === name) return decoded(path);
  }
  return undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that stands for itself.
    return path;
  }
}
