import { join } from "node:path";
import type { CallFiles } from "./call-directory.ts";
import { readConfiguration } from "../rpm/read-configuration.ts";
import { namesIn } from "../../../machine/files/names-in.ts";

/** The first that is there counts. */
const mainFiles: readonly string[] = ["etc/zypp/zypp.conf", "usr/etc/zypp/zypp.conf"];
const folders: readonly string[] = ["usr/etc/zypp/zypp.conf.d", "etc/zypp/zypp.conf.d"];

/** A server that is silent for this long will stay so. zypp itself waits three minutes, and more than once. */
const patience = "[main]\ndownload.transfer_timeout = 30\n";

/**
 * zypp's configuration below a root in one text, to be read instead of its files: with a shorter patience where the host's own
 * says nothing of it, and with the locks read from `locks`. Of two values for one key the later counts.
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

/** Also for work below another root, zypp reads the machine's. */
export function configurationFile(locks: string | undefined): CallFiles {
  return { [fileName]: configurationWith(locks, "/") };
}

export function configurationEnvironment(directory: string): Readonly<Record<string, string>> {
  return { ZYPP_CONF: join(directory, fileName) };
}
