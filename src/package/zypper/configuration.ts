import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readFileCapped } from "../../host/read-file.ts";

const capBytes: number = 256 * 1024;

/** The first that is there counts. */
const mainFiles: readonly string[] = ["etc/zypp/zypp.conf", "usr/etc/zypp/zypp.conf"];
const folders: readonly string[] = ["usr/etc/zypp/zypp.conf.d", "etc/zypp/zypp.conf.d"];

/**
 * zypp's configuration below a root in one text, to be read instead of its files: with the one difference that the locks are
 * read from `locks`. Of two values for one key the later counts.
 */
export function configurationWith(locks: string, root: string): string {
  const main = mainFiles.map((path) => textOf(join(root, path))).find((text) => text !== undefined);
  const more = folders
    .map((folder) => join(root, folder))
    .flatMap((folder) => namesIn(folder).map((name) => textOf(join(folder, name))));
  return [main, ...more, `[main]\nlocksfile.path = ${locks}\n`].filter((text) => text !== undefined).join("\n");
}

function textOf(path: string): string | undefined {
  const reading = readFileCapped(path, { capBytes, links: "follow" });
  return reading.kind === "read" ? reading.text : undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".conf"))
      .toSorted();
  } catch {
    // Only newer versions know such a folder.
    return [];
  }
}
