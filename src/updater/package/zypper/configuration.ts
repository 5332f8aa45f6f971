import { join } from "node:path";
import type { CallFiles } from "./call-directory.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import { namesIn } from "../../../machine/files/names-in.ts";

/** zypp reads the first one that exists. */
const mainFiles: readonly string[] = ["etc/zypp/zypp.conf", "usr/etc/zypp/zypp.conf"];
const folders: readonly string[] = ["usr/etc/zypp/zypp.conf.d", "etc/zypp/zypp.conf.d"];

/** A server that sends nothing for this long will not answer. zypp's default is three minutes, several times. */
const patience = "[main]\ndownload.transfer_timeout = 30\n";

/**
 * A text that zypp reads instead of its configuration files below a root. Adds a shorter timeout unless the host sets one, and the path
 * `locks`. zypp uses the later of two values.
 */
export function configurationWith(locks: string | undefined, root: string): string {
  const main = mainFiles.map((path) => readConfiguration(join(root, path))).find((text) => text !== undefined);
  const more = folders
    .map((folder) => join(root, folder))
    .flatMap((folder) => {
      const names = namesIn(folder).filter((name) => name.endsWith(".conf"));
      return names.toSorted().map((name) => readConfiguration(join(folder, name)));
    });
  const locksfile = locks === undefined ? undefined : `[main]\nlocksfile.path = ${locks}\n`;
  return [patience, main, ...more, locksfile].filter((text) => text !== undefined).join("\n");
}

const fileName = "zypp.conf";

/** Uses the machine's configuration, which zypp reads even for another root. */
export function configurationFile(locks: string | undefined): CallFiles {
  return { [fileName]: configurationWith(locks, "/") };
}

export function configurationEnvironment(directory: string): Readonly<Record<string, string>> {
  return { ZYPP_CONF: join(directory, fileName) };
}
