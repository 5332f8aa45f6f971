import type { Fault } from "../../fault/fault.ts";
import type { Change } from "../manager.ts";
import { inspectArgv, installArgv } from "./argv.ts";
import { attempt } from "./attempt.ts";
import type { AptCalls } from "./calls.ts";
import { putHoldBack } from "./hold.ts";
import { installedFrom } from "./installed.ts";
import { databaseBelow } from "./root-config.ts";

export async function install(calls: AptCalls, change: Change): Promise<void> {
  const failure = await attempt(calls, installArgv(change), `install ${change.name}=${change.to}`);
  // apt drops the hold as it changes the package; on a failure it may or may not have come that far.
  if (change.hold === "lifted") await putHoldBack(calls, change.name, failure);
  if (failure !== undefined && !(await isDone(calls, change, failure))) throw failure;
}

/** Somebody else's hook may fail once everything is done; a package that dpkg calls whole has had all its own scripts succeed. */
async function isDone({ ask, root }: AptCalls, { name, to, direction }: Change, { code }: Fault): Promise<boolean> {
  if (code !== "install-failed" || direction === "same") return false;
  const installed = installedFrom(await ask(inspectArgv(name, databaseBelow(root))), name);
  return installed.kind === "present" && installed.packageVersion === to && installed.condition === "whole";
}
