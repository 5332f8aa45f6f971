import { hash } from "node:crypto";
import type { Evidence, HostEvidence } from "../../rules/rollout/host-evidence.ts";
import { oneById, type Claim, type Claimed } from "../../rules/rollout/one-by-id.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { rankOf } from "../../rules/rollout/membership.ts";
import type { Spec } from "../../rules/rollout/spec.ts";
import type { AuthContext } from "./context.ts";
import { labelsOf } from "./inventory-filter.ts";
import type { Reported } from "./known-instances.ts";
import { reportedAfter, type Reading } from "./list-reported.ts";
import { isForgotten, secondsSince, standingOf, type Judging } from "./silence.ts";
import { twoWindowsAgoIn } from "./windows-in-force.ts";

/** A host of the evidence, with its names in the inventory. */
export type Known = HostEvidence & {
  readonly instance: string;
  readonly hostname: string;
  readonly joined: UnixSeconds;
  /** How many instances report its id. */
  readonly claims: number;
};

export type KnownEvidence = Omit<Evidence, "hosts"> & { readonly hosts: readonly Known[] };

/** Collects what the inventory knows of each channel's hosts, if they have an id for channels. Reads the inventory once for all rollouts. */
export async function evidenceFor(
  reading: Reading & Pick<AuthContext, "store">,
  specs: readonly Pick<Spec, "channel" | "target">[],
  judging: Judging,
): Promise<ReadonlyMap<string, KnownEvidence>> {
  const hosts = new Map(specs.map(({ channel, target }) => [channel as string, { target, found: [] as (Claim & Reported)[] }]));
  for await (const reported of reportedAfter(reading, "")) {
    const { row, report } = reported;
    const { channel = "", asks_as: id = "" } = report?.updater ?? {};
    const own = hosts.get(channel);
    if (own === undefined || id === "" || row.removed !== undefined || isForgotten(reported, judging)) continue;
    own.found.push(claimIn(reported, judging));
  }
  const twoWindowsAgo = await twoWindowsAgoIn(reading.store, judging.now);
  return new Map(
    [...hosts].map(([channel, { target, found }]) => [
      channel,
      {
        hosts: oneById(found).map((claimed) => known(claimed, target)),
        now: judging.now,
        secondsSince: (at) => secondsSince(at, judging),
        twoWindowsAgo: twoWindowsAgo(channel),
      },
    ]),
  );
}

function claimIn(reported: Reported, judging: Judging): Claim & Reported {
  const { updater, at } = reported.report ?? {};
  const { silent, gone } = standingOf(reported, judging);
  return {
    ...reported,
    asks: updater?.asks_as ?? "",
    reported: at,
    isLiving: !silent && !gone,
    object: updater?.kind === "kube" ? updater.package : undefined,
  };
}

function known({ claim, claims, isShared }: Claimed<Claim & Reported>, target: Version): Known {
  const { id: instance, asks: id, row, report } = claim;
  const updater = report?.updater;
  return {
    id,
    rank: rankOf(id, target, (text) => hash("sha256", text)),
    isShared,
    claims,
    instance,
    joined: row.joined,
    hostname: (report ?? row).hostname,
    labels: labelsOf(claim),
    reported: report?.at,
    goodbye: report?.goodbye ?? false,
    updater: updater && {
      installed: updater.installed,
      served: updater.served,
      decision: updater.decision,
      step: updater.step === "" ? undefined : updater.step,
      ended: report.ended,
      fault: updater.outcome?.fault,
      rejected: updater.rejected,
      held: updater.held,
      unhealthySince: report.unhealthy_since,
      window: updater.window,
      downgrade: updater.downgrade,
    },
  };
}
