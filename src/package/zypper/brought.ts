import type { Planned } from "../manager.ts";
import { packageVersionOf } from "../rpm/version.ts";

/** A file that `zypper --xmlout download` has fetched, and what the list says it is. */
export type Brought = { readonly path: string; readonly is: Planned };

export function parseBrought(xml: string): readonly Brought[] {
  return xml.split("<download-result>").flatMap((result) => {
    const name = /<name>([^<]*)<\/name>/.exec(result)?.[1];
    const architecture = /<arch>([^<]*)<\/arch>/.exec(result)?.[1];
    const path = /<localfile path="([^"]*)"/.exec(result)?.[1];
    const edition = /<edition ([^>]*)>/.exec(result)?.[1] ?? "";
    const part = (key: string): string => new RegExp(`(?:^| )${key}="([^"]*)"`).exec(edition)?.[1] ?? "";
    const version = packageVersionOf({ epoch: part("epoch"), version: part("version"), release: part("release") });
    if (name === undefined || path === undefined || version === undefined) return [];
    return [{ path: decoded(path), is: { name: decoded(name), version, architecture } }];
  });
}

/** What it says, as it says it without XML. */
export function plainText(output: string): string {
  return decoded(output.replace(/<message [^>]*>([^<]*)<\/message>/g, "$1"));
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function decoded(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => entities[entity] ?? "");
}
