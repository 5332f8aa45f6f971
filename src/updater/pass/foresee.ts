import { asFault, faultData } from "../../rules/fault/explain.ts";
import type { PackageManager } from "../package/manager/manager.ts";
import type { Move } from "../plan/host-decision.ts";
import type { InstalledPackage } from "../plan/host-facts.ts";
import type { Foreseen } from "../plan/foreseen.ts";
import type { KeptPackage } from "../record/state.ts";
import type { PackageName, Settings } from "../../rules/settings/settings.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { changeTo } from "./change.ts";
import { chooseOffer } from "./choose-offer.ts";
import { companionsIn } from "./companions.ts";

export type ToForesee = {
  readonly move: Move;
  readonly settings: Settings;
  readonly installed: InstalledPackage;
  readonly manager: PackageManager;
  /** The packages that moved along with the last move. */
  readonly beside: readonly PackageName[];
  readonly kept: readonly KeptPackage[];
  readonly checkKept: (kept: KeptPackage) => { readonly kind: "whole" } | { readonly kind: "unusable" };
  /** When the lists were last refreshed; undefined if never, or if this user cannot tell. */
  readonly listsAskedAt: () => UnixSeconds | undefined;
};

/** Says what a pass would meet before it changes anything, as far as the lists on this host show. Fetches nothing. */
export async function foresee(scene: ToForesee): Promise<Foreseen> {
  const { move, settings, manager, kept, checkKept } = scene;
  const own = kept.find(({ packageVersion }) => packageVersion === move.exactly);
  // A kept package needs no repository.
  if (own !== undefined && checkKept(own).kind === "whole") return { kind: "possible", listsAt: undefined };
  const listsAt = scene.listsAskedAt();
  const offered = await looked("whether a repository offers it", () => chooseOffer(move, settings, manager));
  if (offered.kind !== "found") return withLists(offered, listsAt);
  const planned = await looked("what else its installation would change", async () => plan(offered.found, scene));
  return planned.kind === "found" ? { kind: "possible", listsAt } : { ...planned, listsAt };
}

async function plan(to: PackageVersion, { settings, installed, manager, beside }: ToForesee): Promise<void> {
  const change = changeTo(to, installed, { settings, beside });
  await companionsIn(await manager.simulate(change), change.name, manager);
}

type Looked<Found> = { readonly kind: "found"; readonly found: Found } | Unfound;
type Unfound = Pick<Extract<Foreseen, { kind: "refused" }>, "kind" | "fault"> | NotLooked;
type NotLooked = Pick<Extract<Foreseen, { kind: "not-looked" }>, "kind" | "told">;

/** Looks, but reports no fault that only this user's lack of rights causes: a pass asks as root. */
async function looked<Found>(what: string, look: () => Promise<Found>): Promise<Looked<Found>> {
  try {
    return { kind: "found", found: await look() };
  } catch (thrown) {
    const fault = asFault(thrown);
    switch (fault.code) {
      case "not-permitted":
        return notLooked(what, "run it as root");
      case "path-untrusted":
        return notLooked(what, fault.message);
      case "bug":
        throw thrown;
      default:
        return { kind: "refused", fault: faultData(fault) };
    }
  }
}

function notLooked(what: string, why: string): NotLooked {
  return { kind: "not-looked", told: `${what} was not looked at: ${why}` };
}

/** Adds the age of the lists. Without lists a missing offer means nothing, because a pass refreshes them first. */
function withLists(unfound: Unfound, listsAt: UnixSeconds | undefined): Foreseen {
  if (unfound.kind !== "refused" || unfound.fault.code !== "not-offered" || listsAt !== undefined) return { ...unfound, listsAt };
  return {
    ...notLooked("whether a repository offers it", "this host has no package lists yet, and a pass fetches them"),
    listsAt,
  };
}
