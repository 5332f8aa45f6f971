import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { PackageManager, Planned } from "../package/manager/manager.ts";
import type { CompanionFound } from "../plan/companion.ts";
import { mostCompanions, type Companion } from "../record/ledger.ts";
import { parsePackageName } from "../../rules/settings/read-text.ts";
import type { PackageName } from "../../rules/settings/settings.ts";
import { parsePackageVersion, type PackageVersion } from "../../rules/version/wrapped.ts";
import type { Changing } from "./change.ts";

/** The packages that the current move takes along, with their present state. */
export async function companionsFound({
  manager,
  ports,
}: Omit<Changing, "journal" | "settings">): Promise<readonly CompanionFound[]> {
  const companions = ports.movedAlong();
  if (companions.length === 0) return [];
  const found = await manager.inspectAll(companions.map(({ name }) => name));
  return companions.map((companion, at) => ({ ...companion, found: found[at] ?? { kind: "absent" } }));
}

/** The packages that a plan takes along with the agent's, and their installed versions. */
export async function companionsIn(
  planned: readonly Planned[],
  name: PackageName,
  manager: Pick<PackageManager, "inspectAll">,
): Promise<readonly Companion[]> {
  const all = planned.filter((one) => one.name !== name).map(exactly);
  const others = [...new Map(all.map((one) => [one.name, one])).values()];
  if (others.length === 0) return [];
  if (others.length > mostCompanions) {
    throw refused(`it would take ${others.length} other packages along, and ${mostCompanions} are the most`);
  }
  const found = await manager.inspectAll(others.map((one) => one.name));
  return others.map((one, at) => ({ name: one.name, from: found[at]?.packageVersion, to: one.version }));
}

/** Finds a package that the plan has for two architectures: only one of its files could be kept. */
export function plannedTwice(planned: readonly Planned[]): string | undefined {
  return planned.find(({ name }, at) => planned.findIndex((one) => one.name === name) !== at)?.name;
}

function exactly({ name: named, version: versioned }: Planned): { readonly name: PackageName; readonly version: PackageVersion } {
  const name = parsePackageName(named);
  const version = parsePackageVersion(versioned);
  if (name !== undefined && version !== undefined) return { name, version };
  throw refused(`it would take ${quote(named)} along in the version ${quote(versioned)}, which cannot be written down`);
}

function refused(why: string): Fault {
  return new Fault("plan-refused", { message: `the move was refused: ${why}`, hint: "look at the plan of the package manager" });
}
