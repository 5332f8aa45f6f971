import { basename, dirname, join } from "node:path";
import { makeDirectory } from "../../../machine/files/directory.ts";
import { removeFile } from "../../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../../machine/files/write-file.ts";
import { withPrivateDirectory } from "./private-directory.ts";

/** A file that is passed to a package manager for one call. */
export type CallFile = {
  /** A path that a reboot empties. */
  readonly onMachine: string;
  readonly mode: number;
  readonly text: string;
};

/**
 * Keeps the file in place during the work. Even for another root it is on the machine, where nobody else may enter: then nothing in that root is read
 * as configuration, and the root's name cannot be misread.
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
