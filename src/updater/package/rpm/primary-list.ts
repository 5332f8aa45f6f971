import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { Build } from "../../../rules/decide/gate-facts.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageVersion } from "../../../rules/version/wrapped.ts";
import { isOwnArchitecture, packageVersionOf } from "./version.ts";

export type WantedBuild = { readonly name: PackageName; readonly version: PackageVersion };

/** The list of a whole distribution has some hundred megabytes; what is larger is none. */
const longestList: number = 1024 ** 3;
/** All that a list says of one package; a kernel with all that it provides has some hundred kilobytes. Each piece that comes is looked for from its start. */
const longestElement: number = 4 * 1024 ** 2;

const packings: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = { gz: createGunzip, zst: createZstdDecompress };

/** Whether the list is packed in a way that can be read here. */
export function isPrimaryList(file: string): boolean {
  return /(?:^|-)primary\.xml(?:\.(?:gz|zst))?$/.test(file);
}

/** The files that a repository's primary list (repodata) names for that version; a list is read piece by piece, and not kept. */
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
