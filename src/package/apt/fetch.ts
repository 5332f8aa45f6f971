import { existsSync } from "node:fs";
import { Fault } from "../../fault/fault.ts";
import type { WantedFile } from "../manager.ts";
import { archivesArgv, controlArgv, downloadArgv, fetchArgv, unfetchedArgv } from "./argv.ts";
import { attempt } from "./attempt.ts";
import type { AptCalls } from "./calls.ts";
import { copyWhole } from "./copy-whole.ts";
import { aptFault } from "./failure.ts";
import { archivesFrom, localFileIn, offeredFile, type OfferedFile } from "./offered-file.ts";

/**
 * Through apt's own cache, where an installation looks before it downloads; from there it is copied. apt has checked where it
 * comes from, and this once more that it is what the signed list names.
 */
export async function fetchFile(calls: AptCalls, wanted: WantedFile, directory: string): Promise<string> {
  const offered = await askOffered(calls, wanted);
  const path = await downloaded(calls, wanted, offered);
  const target = `${directory}/${offered.name}`;
  if ((await copyWhole(path, target, offered)) === "copied") return offered.name;
  // Of what lies in its cache apt looks at the size alone, and a power cut leaves files of the right size without their content.
  await calls.actOffline(["rm", "-f", path], `remove a spoilt download of ${wanted.name}`);
  if ((await copyWhole(await downloaded(calls, wanted, offered), target, offered)) === "copied") return offered.name;
  throw new Fault("download-failed", {
    message: `${path} is not what the repository's list names`,
    hint: "remove it, and try `apt-get update`",
  });
}

/** Has apt download the file into its cache, where an earlier fetch may have left it, and gives its path there. */
export async function download(calls: AptCalls, wanted: Exactly): Promise<string> {
  return downloaded(calls, wanted, await askOffered(calls, wanted));
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

/** Where it lies then. */
async function downloaded(calls: AptCalls, wanted: Exactly, { name }: OfferedFile): Promise<string> {
  const failure = await attempt(calls, fetchArgv(wanted), `install --download-only ${wanted.name}=${wanted.version}`);
  if (failure !== undefined) throw asDownload(failure);
  const archives = archivesFrom((await calls.ask(archivesArgv())).stdout);
  const cached = `${archives}${name}`;
  if (existsSync(cached)) return cached;
  // The files of a repository on the host itself are never copied into the cache.
  const local = localFileIn((await calls.ask(unfetchedArgv(wanted))).stdout, name);
  if (local !== undefined) return local;
  await downloadApart(calls, wanted, { archives, name });
  return cached;
}

/**
 * For what is unpacked and not configured apt downloads nothing, and says nothing. Where downloads begin is the only place that
 * its unprivileged half may write to; from there it goes to where apt itself would have put it.
 */
async function downloadApart(
  calls: AptCalls,
  wanted: Exactly,
  { archives, name }: { readonly archives: string; readonly name: string },
): Promise<void> {
  const partial = `${archives}partial`;
  const failure = await attempt(calls, downloadArgv(wanted, partial), `download ${wanted.name}=${wanted.version}`);
  if (failure !== undefined) throw asDownload(failure);
  await calls.actOffline(["mv", "-f", `${partial}/${name}`, `${archives}${name}`], `store the download of ${wanted.name}`);
}

/** Nothing was installed here, whatever it is that apt failed at. */
function asDownload(failure: Fault): Fault {
  if (failure.code !== "install-failed") return failure;
  return new Fault("download-failed", { message: failure.message, hint: failure.hint, cause: failure });
}
