import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { readFileCapped } from "../../../machine/files/read-file.ts";
import { directoryIn } from "./offered-file.ts";
import { namesIn } from "../../../machine/files/names-in.ts";

/** How to compare lists. "by their contents" takes a second for the lists of a whole distribution. */
export type Look = "by their sizes" | "by their contents";

export function listsFrom(shell: string): string {
  return directoryIn(shell) ?? "/var/lib/apt/lists/";
}

/** Enough: a large distribution's signed list has some hundred kilobytes. */
const capBytes: number = 16 * 1024 * 1024;

/** Finds lists that differ from the signed list beside them, or whose signed list is incomplete. */
export async function spoiltLists(directory: string, look: Look): Promise<readonly string[]> {
  const names = namesIn(directory);
  const spoilt: string[] = [];
  for (const release of names.filter((name) => /_(?:In)?Release$/.test(name))) {
    const start = release.replace(/(?:In)?Release$/, "");
    const reading = readFileCapped(`${directory}${release}`, { capBytes, links: "follow" });
    if (reading.kind !== "read") continue;
    const lists = names.filter((name) => name.startsWith(start));
    if (!isWhole(reading.text)) spoilt.push(release, ...lists);
    else spoilt.push(...(await unlike(directory, { start, lists, look }, entriesIn(reading.text))));
  }
  return [...new Set(spoilt)];
}

type Listed = { readonly size: number; readonly sha256: string };
type Below = { readonly start: string; readonly lists: readonly string[]; readonly look: Look };

async function unlike(
  directory: string,
  { start, lists, look }: Below,
  entries: ReadonlyMap<string, Listed>,
): Promise<readonly string[]> {
  const other: string[] = [];
  for (const list of lists) {
    const entry = entries.get(list.slice(start.length));
    const stats = statSync(`${directory}${list}`, { throwIfNoEntry: false });
    // The signed list does not describe some lists, which apt keeps in a form of its own.
    if (entry === undefined || stats === undefined) continue;
    const isOther =
      stats.size !== entry.size || (look === "by their contents" && (await sha256Of(directory, list)) !== entry.sha256);
    if (isOther) other.push(list);
  }
  return other;
}

/** Whether a text is complete. A signed one has an end, an unsigned one at least begins with a field, and neither contains zeros. */
export function isWhole(text: string): boolean {
  if (text.includes("\0")) return false;
  if (text.startsWith("-----BEGIN PGP SIGNED MESSAGE-----")) return text.includes("\n-----END PGP SIGNATURE-----");
  return /^[A-Za-z][A-Za-z0-9-]*:/.test(text);
}

/** The files in the signed list, by the names that apt gives them. */
export function entriesIn(text: string): ReadonlyMap<string, Listed> {
  const table = /^SHA256:\n((?: .*\n?)*)/m.exec(text)?.[1] ?? "";
  const rows = table.matchAll(/^ ([0-9a-f]{64}) +(\d+) +(\S+)$/gm);
  return new Map(
    [...rows].map(([, sha256 = "", size, name = ""]) => [name.replaceAll("/", "_"), { size: Number(size), sha256 }]),
  );
}

async function sha256Of(directory: string, list: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(`${directory}${list}`), hash);
  return hash.digest("hex");
}
