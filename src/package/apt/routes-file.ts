import { dirname, join } from "node:path";
import { makeDirectory } from "../../host/directory.ts";
import { removeFile } from "../../host/remove-file.ts";
import { writeFileAtomically } from "../../host/write-file.ts";
import { withPrivateDirectory } from "../private-directory.ts";

/** A place that no reboot survives. */
const onMachine = "/run/svc-upgrade/apt-routes.conf";

/**
 * Has the configuration lie in its file for as long as the work takes: passwords may be in it, so only root may read it. Below
 * another root it is a file of the machine all the same: nothing of that root's is read as configuration.
 */
export function withRoutesFile<T>(root: string, config: string, work: (path: string) => Promise<T>): Promise<T> {
  if (root === "/") return whileItLies(onMachine, config, work);
  return withPrivateDirectory((directory) => whileItLies(join(directory, "routes.conf"), config, work));
}

async function whileItLies<T>(path: string, config: string, work: (path: string) => Promise<T>): Promise<T> {
  makeDirectory(dirname(path), { root: "/" });
  writeFileAtomically(path, config, { root: "/", mode: 0o600, fault: "file-failed" });
  try {
    return await work(path);
  } finally {
    removeFile(path, "/");
  }
}
