import { asFault } from "../../../rules/fault/explain.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { refreshAllArgs, refreshArgs } from "./argv.ts";
import { askOffers } from "./ask.ts";
import type { YumCalls } from "./calls.ts";
import { refreshTrouble, yumFault } from "./failure.ts";
import { madeOfLists } from "./lists.ts";
import { actWhenFree, type Waiting } from "./wait.ts";

type Calls = Omit<YumCalls, "act" | "repositories">;
type With = { readonly waiting: Waiting; readonly cache: string };

/** Removes dnf's copies of lists and keys if a power cut damaged them; dnf makes them again. */
export async function refresh(calls: Calls, name: PackageName, { waiting, cache }: With): Promise<void> {
  const ended = await refreshOffering(calls, name, waiting).catch(asFault);
  const isSuspect =
    ended instanceof Fault ? mayBeSpoilt(ended) : ended.length === 0 && (await askOffers(calls, name)).length === 0;
  const made = isSuspect ? madeOfLists(cache) : [];
  if (made.length > 0) {
    await calls.removeCaches(made);
    return refreshAll(calls, name, waiting);
  }
  if (ended instanceof Fault) throw ended;
}

/** Whether damaged files on this host may be the reason. A failed download is another reason. */
export function mayBeSpoilt({ code, message }: Pick<Fault, "code" | "message">): boolean {
  return (
    code === "refresh-failed" &&
    !/Curl error|Cannot download|All mirrors were tried|Status code|the download was ended/.test(message)
  );
}

/** Refreshes only the repositories that offer the package, and returns them, so that another dead one does not matter. */
async function refreshOffering(calls: Calls, name: PackageName, waiting: Waiting): Promise<readonly string[]> {
  const repositories = [...new Set((await askOffers(calls, name)).map(({ repository }) => repository))];
  if (repositories.length === 0) {
    await refreshAll(calls, name, waiting);
    return repositories;
  }
  const { program } = calls;
  const { status, output } = await actWhenFree({ program, waiting, what: `refresh ${repositories.join(" ")}` }, (what) =>
    calls.download(refreshArgs(repositories), what),
  );
  if (status !== 0) throw refreshFault(calls, output, `the package lists of ${repositories.join(" and ")}`);
  return repositories;
}

/** Refreshes all repositories, as none is known to offer the package. A dead one matters only if none offers it afterwards. */
async function refreshAll(calls: Calls, name: PackageName, waiting: Waiting): Promise<void> {
  const { program } = calls;
  const { status, output } = await actWhenFree({ program, waiting, what: "refresh all package lists" }, (what) =>
    calls.download(refreshAllArgs(), what),
  );
  if (status !== 0) throw refreshFault(calls, output, "the package lists");
  if (refreshTrouble(output) === undefined || (await askOffers(calls, name)).length > 0) return;
  throw refreshFault(calls, output, "the package lists");
}

function refreshFault({ program }: Calls, output: string, what: string): Fault {
  const fault = yumFault(output, { program, command: "makecache" });
  if (fault.code === "no-space" || fault.code === "not-permitted") return fault;
  return new Fault("refresh-failed", {
    message: `${what} could not be refreshed: ${refreshTrouble(output) ?? fault.message}`,
    hint: `try it by hand: \`${program} makecache\``,
  });
}
