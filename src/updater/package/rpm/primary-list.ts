import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { Build } from "../../../rules/decide/gate-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { isOwnArchitecture, packageVersionOf } from "./version.ts";

export type WantedBuild = { readonly name: PackageName; readonly version: PackageVersion };

/** A whole distribution's list has some hundred megabytes, so a larger file is no list. */
const longestList: number = 1024 ** 3;
/** The longest entry of one package. A kernel's, with all that it provides, has some hundred kilobytes. Each new piece is searched from its start. */
const longestElement: number = 4 * 1024 ** 2;

const packings: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = { gz: createGunzip, zst: createZstdDecompress };

/** Whether this program can unpack the list. */
export function isPrimaryList(file: string): boolean {
  return /(?:^|-)primary\.xml(?:\.(?:gz|zst))?$/.test(file);
}

/** The files that a repository's primary list (repodata) names for that version. Reads the list in pieces, and keeps none. */
export async function buildsIn(path: string, wanted: WantedBuild): Promise<readonly Build[]> {
  const builds: Build[] = [];
  let rest = "";
  let length = 0;
  for await (const chunk of unpacked(path)) {
    rest += chunk;
    length += chunk.length;
    const pieces = rest.split("</package>");
    rest = pieces.pop() ?? "";
    builds.push(...pieces.flatMap((piece) => buildOf(piece, wanted) ?? []));
    if (length > longestList || rest.length > longestElement) throw new Error(`${path} is too large to be read`);
  }
  return builds;
}

function unpacked(path: string): AsyncIterable<string> {
  const packing = packings[/[^.]*$/.exec(path)?.[0] ?? ""];
  const source = createReadStream(path);
  if (packing === undefined) return source.setEncoding("utf8");
  const unpacking = packing() as NodeJS.ReadWriteStream & Readable;
  source.on("error", (error) => unpacking.destroy(error));
  return source.pipe(unpacking).setEncoding("utf8");
}

function buildOf(element: string, { name, version }: WantedBuild): Build | undefined {
  const found = (pattern: RegExp): string | undefined => pattern.exec(element)?.[1];
  if (found(/<name>([^<]*)<\/name>/) !== name || !isOwnArchitecture(found(/<arch>([^<]*)<\/arch>/))) return undefined;
  const attributes = found(/<version\s([^>]*)>/) ?? "";
  const attribute = (key: string): string => new RegExp(`(?:^|\\s)${key}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  const parts = { epoch: attribute("epoch"), version: attribute("ver"), release: attribute("rel") };
  if (packageVersionOf(parts) !== version) return undefined;
  const bytes = found(/<size\s[^>]*package="(\d{1,15})"/);
  return {
    sha256: found(/<checksum\s[^>]*type="sha256"[^>]*>([0-9a-f]{64})<\/checksum>/),
    bytes: bytes === undefined ? undefined : Number(bytes),
  };
}
