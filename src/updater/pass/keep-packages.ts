import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { Changing } from "./change.ts";

type Ends = { readonly from: PackageVersion | undefined; readonly to: PackageVersion };

/**
 * Gets both packages before anything changes: the old one to go back to, and the new one to finish with after a power cut, when there may be no
 * network. From the second move on, the old one is already there.
 */
export async function keepPackages(ends: Ends, changing: Changing): Promise<void> {
  const { settings, ports, journal } = changing;
  const kept = settings.keepPrevious === "never" ? [] : await keepBoth(ends, changing);
  journal.note({ kept });
  await ports.acting.keepOnly(versionsOf(kept));
}

async function keepBoth({ from, to }: Ends, changing: Changing): Promise<readonly KeptPackage[]> {
  const next = await changing.ports.acting.keep({ version: to, is: "offered", to });
  // Nothing moves without this package. The other's file may stay for the next try; no rollback uses it.
  const previous = from === to ? keptBeside(to, changing) : from && (await keepPrevious({ from, to }, changing));
  return previous === undefined ? [next] : [next, previous];
}

export function versionsOf(kept: readonly KeptPackage[]): readonly PackageVersion[] {
  return kept.map(({ packageVersion }) => packageVersion);
}

/** The kept package of that version, if it is unchanged. */
export function atHand(
  version: PackageVersion,
  { ports, journal }: Pick<Changing, "ports" | "journal">,
): KeptPackage | undefined {
  for (const kept of journal.kept()) {
    if (kept.packageVersion !== version) continue;
    const found = ports.checkKept(kept);
    if (found.kind === "whole") return kept;
    ports.log("warning", `the kept package of ${version} is of no use: ${found.why}`, {});
  }
  return undefined;
}

/** A repair replaces no version, so the package for a rollback stays kept. */
function keptBeside(version: PackageVersion, { journal }: Pick<Changing, "journal">): KeptPackage | undefined {
  return journal.kept().findLast(({ packageVersion }) => packageVersion !== version);
}

async function keepPrevious(
  { from, to }: Ends & { readonly from: PackageVersion },
  changing: Changing,
): Promise<KeptPackage | undefined> {
  const { settings, ports } = changing;
  try {
    return await ports.acting.keep({ version: from, is: "installed", to });
  } catch (thrown) {
    const why = asFault(thrown);
    // Such a fault stops the move itself. It is no reason to move without a rollback.
    if (why.code === "manager-busy" || why.code === "busy" || why.code === "bug") throw why;
    const isRefused = why.code === "plan-refused";
    const told = isRefused ? why.message : `the package of ${settings.agent.package} ${from} cannot be had: ${why.message}`;
    if (settings.keepPrevious === "require") {
      throw new Fault("not-kept", {
        message: `the move could not be rolled back: ${told}`,
        hint: "offer it in a repository once more, or set keep_previous: prefer",
        cause: why,
      });
    }
    ports.log("warning", `the move cannot be rolled back: ${told}`, { fault: why.code });
    return undefined;
  }
}
