import type { Planned, WantedFile } from "../manager/manager.ts";

export type OfferedFile = {
  /** The name of the file in apt's cache. */
  readonly name: string;
  readonly algorithm: "sha256" | "sha512";
  readonly hash: string;
};

/** Reads `apt-cache show` for that version. Undefined if the version is unknown, or only installed. */
export function offeredFile(control: string, wanted: Pick<WantedFile, "name" | "version">): OfferedFile | undefined {
  return offeredFiles(control, [{ ...wanted, architecture: undefined }])[0];
}

/** Reads the files of several packages. One version in several repositories may have several files. */
export function offeredFiles(control: string, planned: readonly Planned[]): readonly OfferedFile[] {
  const paragraphs = control.split(/\n\s*\n/).filter((text) => /^Filename: /m.test(text));
  return paragraphs.flatMap((paragraph) => {
    const field = (key: string): string | undefined => new RegExp(`^${key}: (\\S+)$`, "m").exec(paragraph)?.[1];
    const [name, version] = [field("Package"), field("Version")];
    const architecture = /^Architecture: ([a-z0-9-]+)$/m.exec(paragraph)?.[1];
    const [, bits, hash] = /^SHA(256|512): ([0-9a-f]{64,128})$/m.exec(paragraph) ?? [];
    const found = planned.find((one) => one.name.replace(/:.*$/, "") === name && one.version === version);
    if (found === undefined || architecture === undefined || hash === undefined) return [];
    const file = `${name}_${found.version.replaceAll(":", "%3a")}_${architecture}.deb`;
    return [{ name: file, algorithm: bits === "256" ? "sha256" : "sha512", hash }];
  });
}

export function archivesFrom(shell: string): string {
  return directoryIn(shell) ?? "/var/cache/apt/archives/";
}

/** Reads a directory in the quotes of `apt-config shell`. It ends with a slash. */
export function directoryIn(shell: string): string | undefined {
  return /^[A-Z]+='(.*)'$/m.exec(shell)?.[1]?.replaceAll(`'\\''`, "'");
}

/** The file's path in a repository on this host, from `apt-get --print-uris`: `'file:/srv/x/a_1_all.deb' a_1_all.deb 20672 MD5Sum:…`. */
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
    // The path contains a percent sign that encodes nothing.
    return path;
  }
}
