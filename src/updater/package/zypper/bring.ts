import type { Change, Planned } from "../manager/manager.ts";
import { refuseMislabelled } from "../failure/refuse-mislabelled.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import { readAnyHeader } from "../rpm/package-files.ts";
import { bringArgs } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { failedDownload, mayBeDone } from "./download.ts";
import { packageVersionOf } from "../rpm/version.ts";

export type BringCalls = Pick<ZypperCalls, "download" | "fetched"> & { readonly askRpm: RpmCalls["ask"] };

/** Fetches the packages and compares each file's own name and version with the list. zypper compares only checksums. */
export async function bring(calls: BringCalls, { name, to }: Change, planned: readonly Planned[]): Promise<void> {
  const typed = `download ${name}=${to}`;
  const ended = await calls.download(bringArgs(planned, calls.fetched()), typed);
  const brought = parseBrought(ended.stdout);
  const said = { ...ended, output: plainText(ended.output) };
  if (!mayBeDone.includes(ended.status) || brought.length === 0) throw failedDownload(said, typed);
  const files = await Promise.all(brought.map(async ({ path }) => ({ path, is: await readAnyHeader(calls.askRpm, path) })));
  refuseMislabelled(
    planned.map((one) => brought.find(({ is }) => is.name === one.name && is.version === one.version)?.is ?? one),
    files,
  );
}

/** A file that `zypper --xmlout download` fetched, and its package according to the list. */
type Brought = { readonly path: string; readonly is: Planned };

export function parseBrought(xml: string): readonly Brought[] {
  return xml.split("<download-result>").flatMap((result) => {
    const name = /<name>([^<]*)<\/name>/.exec(result)?.[1];
    const architecture = /<arch>([^<]*)<\/arch>/.exec(result)?.[1];
    const path = /<localfile path="([^"]*)"/.exec(result)?.[1];
    const part = (key: string): string => new RegExp(`<edition (?:[^>]* )?${key}="([^"]*)"`).exec(result)?.[1] ?? "";
    const version = packageVersionOf({ epoch: part("epoch"), version: part("version"), release: part("release") });
    if (name === undefined || path === undefined || version === undefined) return [];
    return [{ path: decoded(path), is: { name: decoded(name), version, architecture } }];
  });
}

/** The messages, as zypper prints them without XML. */
export function plainText(output: string): string {
  return decoded(output.replace(/<message [^>]*>([^<]*)<\/message>/g, "$1"));
}

const entities = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" } as const;

function decoded(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: keyof typeof entities) => entities[entity]);
}
