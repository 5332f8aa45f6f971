import { asFault } from "../../fault/explain.ts";
import { Fault } from "../../fault/fault.ts";
import type { PackageName } from "../../settings/settings.ts";
import type { Change } from "../manager.ts";
import type { Ended } from "../result.ts";
import { holdArgv, installArgv, lockArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault, namingHolder } from "./failure.ts";

export async function install(calls: AptCalls, change: Change): Promise<void> {
  const failure = await installOnce(calls, change);
  // apt drops the hold as it changes the package; on a failure it may or may not have come that far.
  if (change.hold === "lifted") await putHoldBack(calls, change.name, failure);
  if (failure !== undefined) throw failure;
}

async function installOnce(calls: AptCalls, change: Change): Promise<Fault | undefined> {
  const typed = `install ${change.name}=${change.to}`;
  let ended: Ended;
  try {
    ended = await calls.act(installArgv(change), typed);
  } catch (thrown) {
    // A call that was killed or never started still leaves a hold to be put back.
    return asFault(thrown);
  }
  if (ended.status === 0) return undefined;
  const fault = aptFault(ended.output, typed);
  if (fault.code !== "manager-busy") return fault;
  // Having waited for the lock in vain, apt does not say who holds it; asked again without waiting, it does.
  const asked = await calls.act(lockArgv(), "who holds the lock");
  return namingHolder(fault, asked.output);
}

async function putHoldBack({ act }: AptCalls, name: PackageName, failure: Fault | undefined): Promise<void> {
  const { status, output } = await act(holdArgv(name), `hold ${name}`);
  if (status === 0) return;
  throw new Fault("install-failed", {
    message: `the hold on ${name} was lifted and could not be put back`,
    hint: `put it back with \`apt-mark hold ${name}\``,
    cause: failure ?? aptFault(output, `hold ${name}`),
  });
}
