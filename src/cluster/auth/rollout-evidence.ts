import { hash } from "node:crypto";
import { endedAfter } from "../../rules/rollout/ended.ts";
import type { Evidence, HostEvidence } from "../../rules/rollout/host-evidence.ts";
import { rankOf } from "../../rules/rollout/membership.ts";
import type { Spec } from "../../rules/rollout/spec.ts";
import { labelsOf } from "./inventory-filter.ts";
import { reportedAfter, type Reading, type Reported } from "./list-reported.ts";
import { isForgotten, secondsSince, type Judging } from "./silence.ts";

/** A host of the evidence, and who it is in the inventory. */
export type Known = HostEvidence & { readonly instance: string; readonly hostname: string };

export type KnownEvidence = Evidence & { readonly hosts: readonly Known[] };

/** What the inventory knows of each channel's hosts that can name themselves. One walk serves all rollouts. */
export async function evidenceFor(
  reading: Reading,
  specs: readonly Pick<Spec, "channel" | "target">[],
  judging: Judging,
): Promise<ReadonlyMap<string, KnownEvidence>> {
  const hosts = new Map(specs.map(({ channel, target }) => [channel as string, { target, found: [] as Known[] }]));
  for await (const reported of reportedAfter(reading, "")) {
    const { row, report } = reported;
    const { channel = "", asks_as: id = "" } = report?.updater ?? {};
    const own = hosts.get(channel);
    if (own === undefined || id === "" || row.removed !== undefined || isForgotten(reported, judging)) continue;
    own.found.push(known(reported, { id, rank: rankOf(id, own.target, (text) => hash("sha256", text)) }));
  }
  return new Map(
    [...hosts].map(([channel, { found }]) => [
      channel,
      { hosts: found, now: judging.now, secondsSince: (at) => secondsSince(at, judging), twoWindowsAgo: undefined },
    ]),
  );
}

function known(reported: Reported, { id, rank }: Pick<HostEvidence, "id" | "rank">): Known {
  const { id: instance, row, report } = reported;
  const updater = report?.updater;
  return {
    id,
    rank,
    instance,
    hostname: (report ?? row).hostname,
    labels: labelsOf(reported),
    reported: report?.at,
    goodbye: report?.goodbye ?? false,
    updater: updater && {
      installed: updater.installed,
      served: updater.served,
      decision: updater.decision,
      step: updater.step === "" ? undefined : updater.step,
      ended: report.ended ?? endedAfter(undefined, updater.outcome, report.at),
      fault: updater.outcome?.fault,
      rejected: updater.rejected,
      held: updater.held,
      window: updater.window,
      downgrade: updater.downgrade,
    },
  };
}
