import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readText } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { logPath, markerPath } from "./sqlite/open-marker.ts";
import { placing, syncDirectory, syncPath } from "./sqlite/place.ts";
import { damaged } from "./sqlite/tell-sqlite-fault.ts";

/** What the note says: which store replaces the present one, and where that one goes. The names are within the directory of both. */
type Replacing = { readonly by: string; readonly aside: string };

export type Replacement = {
  readonly path: string;
  /** The new store, complete and closed, in the same directory. */
  readonly by: string;
  /** A directory beside the store, for the old one. */
  readonly aside: string;
};

/**
 * Replaces a store. Several files change their names, and a power cut may come between any two, so a note is written first: the next program that
 * opens the store finishes what it says.
 */
export function replaceStore({ path, by, aside }: Replacement): void {
  placing(path, () => {
    mkdirSync(join(dirname(path), aside), { mode: 0o700 });
    const note: Replacing = { by: basename(by), aside };
    writeFileAtomically(notePath(path), JSON.stringify(note), { root: "/", mode: 0o600, fault: "file-failed" });
  });
  finishReplacing(path);
}

export function finishReplacing(path: string): void {
  if (!existsSync(notePath(path))) return;
  const note = readNote(path);
  const at = (name: string): string => join(dirname(path), name);
  placing(path, () => {
    if (existsSync(at(note.by))) {
      for (const old of [path, logPath(path), `${path}-shm`, markerPath(path)]) {
        if (existsSync(old)) renameSync(old, join(at(note.aside), basename(old)));
      }
      syncPath(at(note.aside));
      syncDirectory(path);
      renameSync(at(note.by), path);
      syncDirectory(path);
    }
    rmSync(notePath(path));
    syncDirectory(path);
  });
}

function notePath(store: string): string {
  return `${store}.replacing`;
}

function readNote(path: string): Replacing {
  const text = readText(notePath(path), { capBytes: 4096, links: "refuse" }) ?? "";
  const [, by, aside] = /^\{"by":"([\w.:-]+)","aside":"([\w.:-]+)"\}$/.exec(text) ?? [];
  if (by !== undefined && aside !== undefined) return { by, aside };
  throw damaged(path, `a restore was cut off, and its note ${notePath(path)} cannot be read`);
}
