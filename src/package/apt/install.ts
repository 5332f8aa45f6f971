import type { Change } from "../manager.ts";
import { inspectArgv, installArgv } from "./argv.ts";
import { attempt } from "./attempt.ts";
import type { AptCalls } from "./calls.ts";
import { isDoneDespite, lastUnpacking } from "./done.ts";
import { fetchIntoCache } from "./fetch.ts";
import { putHoldBack } from "./hold.ts";
import { installFile } from "./install-file.ts";
import { awaitsConfiguration } from "./installed.ts";
import { databaseBelow } from "./below-root.ts";

export async function install(calls: AptCalls, change: Change): Promise<void> {
  if (await isBeyondApt(calls, change))
    return installFile(calls, change, await fetchIntoCache(calls, { ...change, version: change.to }));
  const before = lastUnpacking(calls.root, change.name);
  const failure = await attempt(calls, installArgv(change), `install ${change.name}=${change.to}`);
  // apt drops the hold as it changes the package; on a failure it may or may not have come that far.
  if (change.hold === "lifted") await putHoldBack(calls, change.name, failure);
  if (failure !== undefined && !(await isDoneDespite(failure, calls, { change, before }))) throw failure;
}

/**
 * What is unpacked and not configured apt does not install once more: it plans to, downloads the file, and then ends with "Internal
 * Error, No file name for". To configure it would leave its files as they are, one that makes its script fail among them.
 */
async function isBeyondApt({ ask, root }: AptCalls, { name, direction }: Change): Promise<boolean> {
  return direction === "same" && awaitsConfiguration(await ask(inspectArgv(name, databaseBelow(root))));
}
