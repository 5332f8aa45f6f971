import type { Change, Planned } from "../manager.ts";
import { refuseMislabelled } from "../refuse-mislabelled.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import { readAnyHeader } from "../rpm/package-files.ts";
import { bringArgs } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { failedDownload, mayBeDone } from "./download.ts";
import { parseBrought, plainText } from "./brought.ts";

export type BringCalls = Pick<ZypperCalls, "download" | "fetched"> & { readonly askRpm: RpmCalls["ask"] };

/**
 * zypper compares a file's checksum with the list's; nobody compares what the list says of the file with what the file says of
 * itself. A file that is in the cache and is not what the list names, zypper fetches again.
 */
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
