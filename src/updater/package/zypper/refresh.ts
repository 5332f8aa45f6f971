import { asFault } from "../../../rules/fault/explain.ts";
import type { Fault } from "../../../rules/fault/fault.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { refreshArgs } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { refreshFault } from "./failure.ts";
import { askOffered, offering } from "./offers.ts";
import type { FoundPackage } from "./search.ts";

/** Refreshes only the repositories that offer the package, so that another dead one does not matter. */
export async function refresh(calls: ZypperCalls, name: PackageName): Promise<void> {
  const offered = await askOffered(calls, name).catch((thrown: unknown) => askAnew(calls, name, asFault(thrown)));
  const aliases = offering(offered, calls.repositories());
  const what = aliases.length === 0 ? "refresh all package lists" : `refresh ${aliases.join(", ")}`;
  const ended = await calls.download(refreshArgs(aliases), what);
  if (ended.status === 0) return;
  // If no known repository offered the package, a dead one matters only if none offers it now.
  if (aliases.length === 0 && (await askOffered(calls, name)).length > 0) return;
  throw refreshFault(ended);
}

/** Removes a damaged cache and asks again. After a power cut damaged one, zypper fails until it is removed; then it makes a new one. */
async function askAnew(calls: ZypperCalls, name: PackageName, fault: Fault): Promise<readonly FoundPackage[]> {
  const spoilt = spoiltCache(fault.message);
  if (spoilt === undefined) throw fault;
  await calls.removeCaches([spoilt]);
  return askOffered(calls, name);
}

/** The cache directory of one repository, or of the host's own packages. */
export function spoiltCache(message: string): string | undefined {
  return /solv-file: (\/\S*\/zypp\/solv\/(?!\.\.?\/)[^\s/]+)\/solv\b/.exec(message)?.[1];
}
