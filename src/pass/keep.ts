import { asFault } from "../fault/explain.ts";
import { Fault } from "../fault/fault.ts";
import type { InstalledPackage } from "../plan/facts.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import { packageVersionOf, type Changing } from "./change.ts";
import type { Wanted } from "./ports.ts";

/** What a move goes from and to. */
export type Exchange = { readonly installed: InstalledPackage; readonly to: PackageVersion };

/**
 * Both packages at hand before anything changes: the one to go back to, and the one to finish with after a power cut, when there
 * may be no network. From the second move on the first of them lies there already.
 */
export async function keepPackages({ installed, to }: Exchange, changing: Changing): Promise<void> {
  const { settings, ports, journal } = changing;
  if (settings.keepPrevious === "never") {
    if (journal.kept().length > 0) await ports.acting.keepOnly([]);
    journal.note({ kept: [] });
    return;
  }
  const from = packageVersionOf(installed);
  const previous = from === to ? keptBeside(to, changing) : from && (await keepPrevious(from, changing));
  const next = await keep({ version: to, is: "offered" }, changing);
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

async function keepPrevious(from: PackageVersion, changing: Changing): Promise<KeptPackage | undefined> {
  const { settings, ports } = changing;
  const name = settings.agent.package;
  try {
    return await keep({ version: from, is: "installed" }, changing);
  } catch (thrown) {
    const why = asFault(thrown);
    // What would keep the move from happening as well is no reason to do without a way back.
    if (why.code === "manager-busy" || why.code === "busy" || why.code === "bug") throw why;
    if (settings.keepPrevious === "require") {
      throw new Fault("not-kept", {
        message: `there would be no way back from the move: the package of ${name} ${from} cannot be had: ${why.message}`,
        hint: "offer it in a repository once more, or set keep_previous: prefer",
        cause: why,
      });
    }
    ports.log("warning", `no way back: the package of ${name} ${from} cannot be had: ${why.message}`, { fault: why.code });
    return undefined;
  }
}

async function keep({ version, is }: Wanted, changing: Changing): Promise<KeptPackage> {
  const { ports, journal } = changing;
  const there = journal.kept().find(({ packageVersion }) => packageVersion === version);
  if (there !== undefined && atHand(version, changing) !== undefined) return there;
  return ports.acting.keep({ version, is });
}
