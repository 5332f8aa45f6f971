import type { PackageName } from "../../settings/settings.ts";
import { refreshArgs } from "./argv.ts";
import type { ZypperCalls } from "./calls.ts";
import { refreshFault } from "./failure.ts";
import { askOffered, offering } from "./offers.ts";

/** Refreshes the repositories that offer the package; another one that is dead must not stand in the way. */
export async function refresh(calls: ZypperCalls, name: PackageName): Promise<void> {
  const aliases = offering(await askOffered(calls, name), calls.repositories());
  const what = aliases.length === 0 ? "refresh all package lists" : `refresh ${aliases.join(", ")}`;
  const ended = await calls.download(refreshArgs(aliases), what);
  if (ended.status === 0) return;
  // Where nobody was known to offer it, any repository may; a dead one among them matters only if none does.
  if (aliases.length === 0 && (await askOffered(calls, name)).length > 0) return;
  throw refreshFault(ended);
}
