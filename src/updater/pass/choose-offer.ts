import { Fault } from "../../rules/fault/fault.ts";
import { lookUpCommand } from "../package/manager/by-hand.ts";
import type { PackageManager } from "../package/manager/manager.ts";
import { tellSources } from "../package/configuration/sources.ts";
import type { Move } from "../plan/host-decision.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { offerOf } from "./observe.ts";

/** Chooses the package to install from the repositories' offers. */
export async function chooseOffer(
  { exactly, target }: Pick<Move, "exactly" | "target">,
  { agent: { package: name } }: Pick<Settings, "agent">,
  manager: PackageManager,
): Promise<PackageVersion> {
  const offers = await manager.offers(name);
  const chosen = offerOf(offers, target.to, exactly);
  if (chosen !== undefined) return chosen;
  const some = offers.length === 0 ? "nothing" : offers.slice(0, 5).join(", ");
  throw new Fault("not-offered", {
    message: `no repository of this host offers ${name} ${target.to}; they offer ${some}`,
    hint: `\`${lookUpCommand(manager, name)}\` shows what is offered: publish the version there, or enable the repository that has it${await askedSources(manager)}`,
  });
}

/** The package's sources for a fault; empty if they cannot be found. */
async function askedSources(manager: PackageManager): Promise<string> {
  const sources = await manager.sources().catch(() => undefined);
  return sources === undefined ? "" : `; ${tellSources(sources)}`;
}
