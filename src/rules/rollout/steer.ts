import type { Served } from "../channel/answer.ts";
import type { Evidence, HostEvidence } from "./host-evidence.ts";
import { stageBelow } from "./membership.ts";
import type { Spec } from "./spec.ts";
import { renumbered, servedAfter, type Person, type StageStatus, type Status } from "./status.ts";
import { tallyStages } from "./tally.ts";

/** `from`: what the channel serves without a rollout. `before`: the channel's last rollout. */
export type Beginning = { readonly evidence: Evidence; readonly from: Served; readonly before: Status | undefined };

/** Begins a rollout. With the same target it goes on: stages that are done stay done by name, and every host that was told stays told. */
export function begin(spec: Spec, { evidence, from, before }: Beginning): Status {
  const same = before?.target === spec.target ? before : undefined;
  return {
    target: spec.target,
    from: before === undefined ? from : (same?.from ?? servedAfter(before)),
    number: (before?.number ?? 0) + 1,
    began: same?.began ?? evidence.now,
    stages: spec.stages.map((stage, index) => {
      const earlier = same?.stages.find(({ name }) => name === stage.name);
      if (earlier?.state === "done") return earlier;
      const below = Math.max(earlier?.below ?? 0, stageBelow(stage, spec.stages.slice(0, index), evidence));
      const excused = earlier?.excused ?? { failed: 0, silent: 0 };
      return waitingStage({ name: stage.name, since: evidence.now, below, excused });
    }),
    marks: same?.marks ?? [],
    byId: same?.byId ?? [],
    paused: same?.paused,
    halted: same?.halted,
    undone: undefined,
  };
}

function waitingStage(stage: Pick<StageStatus, "name" | "since" | "below" | "excused">): StageStatus {
  return { ...stage, state: "waiting", why: "turn", hosts: 0, skipped: undefined };
}

export function pause(status: Status, by: Person): Status {
  return renumbered(status, { ...status, paused: status.paused ?? by });
}

/** Ends a pause and a halt. What failed until now does not count towards the next halt. */
export function resume(spec: Spec, status: Status, evidence: Evidence): Status {
  const tallies = tallyStages(spec, status, evidence);
  const stages = tallies.map(({ status: stage, failed, silent }) => ({ ...stage, excused: { failed, silent } }));
  return renumbered(status, { ...status, stages, paused: undefined, halted: undefined });
}

/** Takes a stage for done. Undefined if there is no such stage, or it is done. */
export function skip(status: Status, name: string, by: Person): Status | undefined {
  const stage = status.stages.find((one) => one.name === name && one.state !== "done");
  if (stage === undefined) return undefined;
  const skipped: StageStatus = { ...stage, state: "done", why: "skipped", since: by.at, skipped: by };
  return renumbered(status, { ...status, stages: status.stages.map((one) => (one === stage ? skipped : one)) });
}

/** Serves every host what the channel served before. */
export function undo(status: Status, by: Person): Status {
  return renumbered(status, { ...status, undone: status.undone ?? by });
}

/** A host was removed by its name: its stage is judged by one host less. A host that only falls silent still counts. */
export function leave(status: Status, host: Pick<HostEvidence, "id">, stage: string): Status {
  const stages = status.stages.map((one) => (one.name === stage && one.hosts > 0 ? { ...one, hosts: one.hosts - 1 } : one));
  const byId = status.byId.map((group) => ({ ...group, hosts: group.hosts.filter(({ id }) => id !== host.id) }));
  return renumbered(status, { ...status, stages, byId: byId.filter(({ hosts }) => hosts.length > 0) });
}
