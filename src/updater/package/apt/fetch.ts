import { Fault } from "../../../rules/fault/fault.ts";
import type { WantedFile } from "../manager/manager.ts";
import { controlArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { copyWhole } from "./copy-whole.ts";
import { download } from "./download.ts";
import { aptFault } from "./failure.ts";
import { offeredFile, type OfferedFile } from "./offered-file.ts";

/**
 * Fetches a file through apt's own cache, where an installation looks before it downloads, and copies it from there. apt has checked its origin; this
 * checks again that the file is the one in the signed list.
 */
export async function fetchFile(calls: AptCalls, wanted: WantedFile, directory: string): Promise<string> {
  const offered = await askOffered(calls, wanted);
  const [path = offered.name] = await download(calls, wanted, [offered]);
  const copying = { source: path, target: `${directory}/${offered.name}`, root: calls.root };
  if ((await copyWhole(copying, offered)) === "copied") return offered.name;
  throw new Fault("download-failed", {
    message: `${path} is not what the repository's list names`,
    hint: "remove it, and try `sudo apt-get update`",
  });
}

/** Finds the file in apt's cache, or has apt download it there. Returns its path. */
export async function fetchIntoCache(calls: AptCalls, wanted: Exactly): Promise<string> {
  const offered = await askOffered(calls, wanted);
  const [path = offered.name] = await download(calls, wanted, [offered]);
  return path;
}

type Exactly = Omit<WantedFile, "is">;

async function askOffered({ ask }: AptCalls, wanted: Exactly): Promise<OfferedFile> {
  const { name, version } = wanted;
  const { status, stdout, output } = await ask(controlArgv([wanted]));
  if (status !== 0) throw aptFault(output, `show ${name}=${version}`);
  const offered = offeredFile(stdout, wanted);
  if (offered !== undefined) return offered;
  throw new Fault("not-offered", {
    message: `no repository of this host offers ${name} ${version}, so its file cannot be fetched`,
    hint: `see what they offer with \`apt-cache policy ${name}\``,
  });
}
