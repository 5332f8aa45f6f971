import { offerOf } from "../pass/observe.ts";
import type { Detected } from "../package/manager/detect.ts";
import type { PackageExaminer } from "../package/manager/examiner.ts";
import type { Change } from "../package/manager/manager.ts";
import { changeTo } from "../pass/change.ts";
import type { KeptPackage, State } from "../record/state.ts";
import type { Settings } from "../../rules/settings/settings.ts";
import type { Version } from "../../rules/version/version.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { failed, ok, skipped, warning, type Finding } from "./check.ts";
import type { DoctorTarget } from "./target.ts";

export type OfferScene = {
  readonly settings: Pick<Settings, "agent" | "holds">;
  readonly target: DoctorTarget;
  readonly detected: Detected;
  readonly examiner: PackageExaminer;
  readonly offers: readonly PackageVersion[];
  /** The kept packages that are unchanged since passes noted them. */
  readonly kept: readonly KeptPackage[];
  /** The packages that moved along with the last move. */
  readonly beside: Change["beside"];
  readonly backoff: State["backoff"];
  readonly now: UnixSeconds;
};

/** The change that the next move would make from the repositories, if they offer it. */
export function changeFor(scene: OfferScene): Change | undefined {
  const { settings, target, detected, offers, beside } = scene;
  if (target.kind !== "version" || isKept(scene)) return undefined;
  const offer = offerOf(offers, target.version, target.exactly);
  return offer === undefined ? undefined : changeTo(offer, detected.installed, { settings, beside });
}

/** A repair from a kept package needs no repository. */
function isKept({ target, kept }: OfferScene): boolean {
  return target.kind === "version" && kept.some(({ packageVersion }) => packageVersion === target.exactly);
}

/** Whether a repository offers the version, and its installation touches no other packages. */
export async function examineOffer(scene: OfferScene): Promise<Finding> {
  const { settings, target, detected } = scene;
  if (target.kind === "unknown") return skipped(target.told);
  if (target.kind === "none") return ok(`${target.told}: nothing has to be offered`);
  if (isKept(scene)) return ok(`${target.told}; its package is kept, and nothing has to be offered`);
  const change = changeFor(scene);
  if (change === undefined) return notOffered(scene, target.version);
  const told = `${target.told}, and a repository offers it as ${settings.agent.package} ${change.to}`;
  const { installed, manager } = detected;
  // apt would refuse it only because of the hold, which another check reports.
  if (installed.kind === "present" && installed.isHeld && change.hold === "none") return ok(told);
  await manager.simulate(change);
  return ok(`${told}; nothing else would be removed or changed`);
}

/** Lists fetched within the last minute are what the repositories have. */
const freshSeconds = 60;

/** A missing offer counts only by fresh lists, or if a pass searched in vain: a pass refreshes old lists first. */
function notOffered({ settings, examiner, offers, backoff, now }: OfferScene, version: Version): Finding {
  const name = settings.agent.package;
  const askedAt = examiner.listsAskedAt();
  const instead = offers.length === 0 ? "nor any other version" : `only ${offers.slice(0, mostNamed).join(", ")}`;
  const lists = askedAt === undefined ? "there are no package lists yet" : `the package lists are of ${printInstant(askedAt)}`;
  const told = `no repository is known to offer ${name} ${version}, ${instead}; ${lists}`;
  if (askedAt !== undefined && now - askedAt < freshSeconds) {
    const unpublished = "it is not published where this host looks: publish it there, or let the channel serve what there is";
    return failed(`${told}: ${unpublished}`, examiner.remedies.lookUp(name));
  }
  const wasLookedFor = backoff?.served === version && backoff.cause.code === "not-offered";
  const { refresh: fix } = examiner.remedies;
  return wasLookedFor
    ? failed(`${told}, and the last pass looked for it in vain`, fix)
    : warning(`${told}; a pass downloads them again before it installs, and so can you`, fix);
}

const mostNamed = 3;
