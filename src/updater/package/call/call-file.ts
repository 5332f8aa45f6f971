import { basename, dirname, join } from "node:path";
import { makeDirectory } from "../../../machine/files/directory.ts";
import { removeFile } from "../../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../../machine/files/write-file.ts";
import { withPrivateDirectory } from "./private-directory.ts";

/** A file that a package manager is named for one call. */
export type CallFile = {
  /** Where no reboot keeps it. */
  readonly onMachine: string;
  readonly mode: number;
  readonly text: string;
};

/**
 * Has the file lie there for as long as the work takes. Below another root it is a file of the machine all the same, where nobody
 * else may enter: nothing of that root's is read as configuration, and its name cannot be taken for anything else.
 */
export function withCallFile<T>(root: string, file: CallFile, work: (path: string) => Promise<T>): Promise<T> {
  if (root === "/") return whileItLies(file.onMachine, file, work);
  return withPrivateDirectory((directory) => whileItLies(join(directory, basename(file.onMachine)), file, work));
}

async function whileItLies<T>(path: string, { mode, text }: CallFile, work: (path: string) => Promise<T>): Promise<T> {
  makeDirectory(dirname(path), { root: "/" });
  writeFileAtomically(path, text, { root: "/", mode, fault: "file-failed" });
  try {
    return await work(path);
  } finally {
    removeFile(path, "/");
  }
}
