import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Fault } from "../../../rules/fault/fault.ts";
import { inDirectory } from "../../../machine/files/directory.ts";
import type { WantedFile } from "../manager/manager.ts";
import type { RpmCalls } from "./calls.ts";
import { packageFilesBelow, readHeader } from "./package-files.ts";
import { placeWhole, unwritable } from "./place.ts";

/**
 * "cache": the manager's cache, from which it installs. Otherwise a directory for this file alone. "aloud": used after a quiet failure, to get the
 * manager's explanation.
 */
export type Into = "cache" | { readonly directory: string; readonly manner: "quietly" | "aloud" };

/** Has the manager fetch the file with its own checks. Returns the directories where the file may be. */
export type Download = (wanted: Pick<WantedFile, "name" | "version">, into: Into) => Promise<readonly string[]>;

export type FetchCalls = Pick<RpmCalls, "ask" | "judge"> & { readonly download: Download; readonly root: string };

const scratchStart = ".fetching-";

/**
 * Fetches an offered file into the manager's cache, where the installation finds it. Uses another directory for an installed package's file, which
 * nobody would remove from the cache. The manager never copies a file there from a repository on the host itself.
 */
export async function fetchFile(calls: FetchCalls, wanted: WantedFile, directory: string): Promise<string> {
  const scratch = makeScratch(directory, calls.root);
  try {
    const first: Into = wanted.is === "installed" ? { directory: scratch, manner: "quietly" } : "cache";
    for (const into of [first, { directory: scratch, manner: "aloud" }] satisfies readonly Into[]) {
      const file = await takeFrom(await calls.download(wanted, into), { calls, wanted, scratch, directory });
      if (file !== undefined) return file;
    }
    throw notThere(wanted);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Taking = {
  readonly calls: FetchCalls;
  readonly wanted: WantedFile;
  readonly scratch: string;
  readonly directory: string;
};

/** Takes the right file by its header and digest. A repository chooses its file names, and a cache may hold damaged files. */
async function takeFrom(folders: readonly string[], { calls, wanted, scratch, directory }: Taking): Promise<string | undefined> {
  for (const path of packageFilesBelow(folders)) {
    const header = await readHeader(calls.ask, path);
    if (header === undefined || header.name !== wanted.name || header.version !== wanted.version) continue;
    const name = `${wanted.name}-${wanted.version.replace(":", "_")}.${header.architecture}.rpm`;
    const [copy, target] = [join(scratch, `${name}.new`), join(directory, name)];
    const placed = await placeWhole(calls.judge, { path, copy, target, root: calls.root });
    if (placed === "placed") return name;
  }
  return undefined;
}

/** Makes a directory for the fetch, and removes what a killed fetch left. */
function makeScratch(directory: string, root: string): string {
  try {
    return inDirectory(directory, { root, missing: "refuse" }, ({ at }) => {
      for (const name of readdirSync(at)) {
        if (name.startsWith(scratchStart)) rmSync(join(at, name), { recursive: true, force: true });
      }
      return join(directory, basename(mkdtempSync(join(at, scratchStart))));
    });
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw unwritable(directory, "no directory could be made in it", thrown);
  }
}

function notThere({ name, version }: WantedFile): Fault {
  return new Fault("download-failed", {
    message: `the file of ${name} ${version} was fetched, and is not where it should be, or not whole`,
    hint: "empty the package manager's cache, and see what it fetches by hand",
  });
}
