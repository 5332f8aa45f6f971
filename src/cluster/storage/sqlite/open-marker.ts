import { existsSync, readSync, rmSync, openSync, closeSync } from "node:fs";
import { readText } from "../../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../../machine/files/write-file.ts";
import { placing, syncDirectory } from "./place.ts";

/**
 * The content of a file beside a store that is open, or was open when its program died. While the file exists, the log has to exist too, and contain
 * the same. If the log is gone or another store's, SQLite itself would think that the store was closed well, and lose its last commits.
 */
export type OpenMarker = { readonly id: string; readonly opening: string };

export function markerPath(store: string): string {
  return `${store}.open`;
}

export function logPath(store: string): string {
  return `${store}-wal`;
}

export function writeMarker(store: string, marker: OpenMarker): void {
  placing(store, () =>
    writeFileAtomically(markerPath(store), JSON.stringify(marker), { root: "/", mode: 0o600, fault: "file-failed" }),
  );
}

export function removeMarker(store: string): void {
  placing(store, () => {
    rmSync(markerPath(store), { force: true });
    syncDirectory(store);
  });
}

/** "lost": the marker exists but cannot be read. */
export function readMarker(store: string): OpenMarker | "none" | "lost" {
  if (!existsSync(markerPath(store))) return "none";
  const text = readText(markerPath(store), { capBytes: 1024, links: "refuse" }) ?? "";
  const [, id, opening] = /^\{"id":"([0-9a-f-]{36})","opening":"([0-9a-f-]{36})"\}$/.exec(text) ?? [];
  return id === undefined || opening === undefined ? "lost" : { id, opening };
}

/** The first bytes of every log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const logMagic = /^377f068[23]/;

export function hasLog(store: string): boolean {
  const start = Buffer.alloc(4);
  try {
    const file = openSync(logPath(store), "r");
    try {
      return readSync(file, start) === start.length && logMagic.test(start.toString("hex"));
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
