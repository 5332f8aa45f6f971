import type { MetricFamily } from "../../rules/exposition/exposition.ts";
import { stalledSince } from "../../rules/rollout/stalled.ts";
import { standingOf, type Status } from "../../rules/rollout/status.ts";
import { tallyStages } from "../../rules/rollout/tally.ts";
import type { KnownEvidence } from "./rollout-evidence.ts";
import type { Written } from "./rollout-row.ts";

/** A rollout as metrics show it. */
export type RolloutFigures = {
  readonly channel: string;
  readonly rollout: string;
  readonly target: string;
  readonly state: string;
  /** For how long its stage has stood still; undefined for a rollout that is over. */
  readonly stalledSeconds: number | undefined;
  /** Empty for a rollout that is over, because auth does not count its hosts any more. */
  readonly hosts: readonly { readonly stage: string; readonly are: string; readonly count: number }[];
};

export function figuresOf(
  { name, spec }: Written,
  status: Status | undefined,
  evidence: KnownEvidence | undefined,
): RolloutFigures {
  const about = { channel: spec.channel, rollout: name, target: `v${spec.target}` };
  if (status === undefined) return { ...about, state: "waiting", stalledSeconds: undefined, hosts: [] };
  const { kind: state } = standingOf(status);
  // A rollout that has ended just now shows no hosts either, although they were still counted.
  if (evidence === undefined || state === "done" || state === "undone")
    return { ...about, state, stalledSeconds: undefined, hosts: [] };
  const tallies = tallyStages(spec, status, evidence);
  const stalled = stalledSince(status, tallies, evidence);
  return {
    ...about,
    state,
    stalledSeconds: stalled === undefined ? 0 : evidence.now - stalled,
    hosts: tallies.flatMap(({ status: { name: stage }, proven, moving, failed, silent, waiting, blocked }) => {
      const held = [...blocked.values()].reduce((sum, hosts) => sum + hosts, 0);
      const counts = { proven, moving, failed, silent, waiting, blocked: held };
      return Object.entries(counts).map(([are, count]) => ({ stage, are, count }));
    }),
  };
}

export function rolloutFamilies(rollouts: readonly RolloutFigures[]): readonly MetricFamily[] {
  return [
    {
      name: "svc_auth_rollout_info",
      type: "gauge",
      help: "Always 1: each rollout, its target and its state: waiting, moving, paused, halted, undone or done.",
      samples: rollouts.map(({ channel, rollout, target, state }) => ({ labels: { channel, rollout, target, state }, value: 1 })),
    },
    {
      name: "svc_auth_rollout_stalled_seconds",
      type: "gauge",
      help: "How long nothing has come of the stage whose turn it is, once two windows have passed so; before that 0.",
      samples: rollouts.flatMap(({ channel, stalledSeconds: value }) =>
        value === undefined ? [] : [{ labels: { channel }, value }],
      ),
    },
    {
      name: "svc_auth_rollout_hosts",
      type: "gauge",
      help: "Hosts of a rollout that is not over, by stage and by how they are: proven, moving, failed, silent, waiting or blocked.",
      samples: rollouts.flatMap(({ channel, hosts }) =>
        hosts.map(({ stage, are, count }) => ({ labels: { channel, stage, are }, value: count })),
      ),
    },
  ];
}
