import { asFault } from "../fault/explain.ts";
import { Fault } from "../fault/fault.ts";
import type { InstalledPackage } from "../plan/facts.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Changing } from "./change.ts";

/** What a move goes from and to. */
export type ExchangedPackages = { readonly installed: InstalledPackage; readonly to: PackageVersion };

/**
 * Both packages at hand before anything changes: the one to go back to, and the one to finish with after a power cut, when there
 * may be no network. From the second move on the first of them lies there already.
 */
export async function keepPackages({ installed, to }: ExchangedPackages, changing: Changing): Promise<void> {
  const { settings, ports, journal } = changing;
  if (settings.keepPrevious === "never") {
    if (journal.kept().length > 0) await ports.acting.keepOnly([]);
    journal.note({ kept: [] });
    return;
  }
  const from = installed.packageVersion;
  const next = await ports.acting.keep({ version: to, is: "offered", to });
  // Where this one is not to be had nothing moves: the file of the other may lie there for the next try, and is nothing to go back to.
  const previous = from === to ? keptBeside(to, changing) : from && (await keepPrevious({ from, to }, changing));
  const kept = previous === undefined ? [next] : [next, previous];
  journal.note({ kept });
  await ports.acting.keepOnly(versionsOf(kept));
}

export function versionsOf(kept: readonly KeptPackage[]): readonly PackageVersion[] {
  return kept.map(({ packageVersion }) => packageVersion);
}

/** The package of that version, if it is at hand as it was put there. */
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

/** A repair goes from nowhere: what a rollback leads to stays at hand. */
function keptBeside(version: PackageVersion, { journal }: Pick<Changing, "journal">): KeptPackage | undefined {
  return journal.kept().find(({ packageVersion }) => packageVersion !== version);
}

type FromTo = { readonly from: PackageVersion; readonly to: PackageVersion };

async function keepPrevious({ from, to }: FromTo, changing: Changing): Promise<KeptPackage | undefined> {
  const { settings, ports } = changing;
  try {
    return await ports.acting.keep({ version: from, is: "installed", to });
  } catch (thrown) {
    const why = asFault(thrown);
    // What would keep the move from happening as well is no reason to do without a rollback.
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
