import { daySeconds } from "../window/seconds.ts";
import type { UnixSeconds } from "../window/window.ts";
import type { Served } from "../channel/answer.ts";
import type { Evidence, HostEvidence } from "./host-evidence.ts";
import { stageBelow, stageFinder } from "./membership.ts";
import type { Spec } from "./spec.ts";
import { stagesOf } from "./stage.ts";
import { mostLeft, renumbered, servedAfter, type Leaver, type Person, type StageStatus, type Status } from "./status.ts";
import { tallyStages } from "./tally.ts";

/** `from`: what the channel serves without a rollout. `before`: the channel's last rollout. */
export type Beginning = { readonly evidence: Evidence; readonly from: Served; readonly before: Status | undefined };

/** Begins a rollout. With the target of the last one it continues that: stages of the same name stay done, and hosts that were told stay told. */
export function begin(spec: Spec, { evidence, from, before }: Beginning): Status {
  const same = before?.target === spec.target ? before : undefined;
  return {
    target: spec.target,
    ...(spec.isCritical === true ? { isCritical: true } : {}),
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
    resumed: same?.undone === undefined ? same?.resumed : evidence.now,
    left: same?.left ?? [],
  };
}

function waitingStage(stage: Pick<StageStatus, "name" | "since" | "below" | "excused">): StageStatus {
  return { ...stage, state: "waiting", why: "turn", began: undefined, hosts: 0, skipped: undefined };
}

export function pause(status: Status, by: Person): Status {
  return renumbered(status, { ...status, paused: status.paused ?? by });
}

/** Ends a pause or a halt. Hosts that have failed until now do not count towards the next halt. */
export function resume(spec: Spec, status: Status, evidence: Evidence): Status {
  const tallies = tallyStages(spec, status, evidence);
  const stages = tallies.map(({ status: stage, failed, silent }) => ({ ...stage, excused: { failed, silent } }));
  return renumbered(status, { ...status, stages, paused: undefined, halted: undefined, resumed: evidence.now });
}

/** Marks a stage as done. Undefined if there is no such stage, or it is done already. */
export function skip(status: Status, name: string, by: Person): Status | undefined {
  const stage = status.stages.find((one) => one.name === name && one.state !== "done");
  if (stage === undefined) return undefined;
  const skipped: StageStatus = { ...stage, state: "done", why: "skipped", since: by.at, skipped: by };
  return renumbered(status, { ...status, stages: status.stages.map((one) => (one === stage ? skipped : one)) });
}

/** Makes the channel serve every host what it served before the rollout. */
export function undo(status: Status, by: Person): Status {
  return renumbered(status, { ...status, undone: status.undone ?? by });
}

type Leaving = Pick<Leaver, "instance" | "hostname" | "at"> & {
  readonly host: Pick<HostEvidence, "id" | "rank" | "labels" | "reported">;
  /** When the instance joined. */
  readonly joined: UnixSeconds;
};

/** Makes a stage count one host less, after an administrator removed the host. Undefined if no stage counts it. Silent hosts still count. */
export function leave(spec: Spec, status: Status, { host, joined, ...who }: Leaving): Status | undefined {
  const byName = status.byId.find(({ hosts }) => hosts.some(({ id }) => id === host.id))?.stage;
  const isThere = status.stages.some(({ name: one }) => one === byName);
  const name = isThere ? byName : stageFinder(stagesOf(spec, status))(host)?.status.name;
  const stage = status.stages.find((one) => one.name === name);
  if (stage?.began === undefined) return undefined;
  const isCounted = joined <= stage.began && (host.reported ?? 0) >= stage.began - daySeconds && stage.hosts > 0;
  if (!isCounted && byName === undefined) return undefined;
  const stages = status.stages.map((one) => (one === stage && isCounted ? { ...one, hosts: one.hosts - 1 } : one));
  const byId = status.byId.map((group) => ({ ...group, hosts: group.hosts.filter(({ id }) => id !== host.id) }));
  const left = [...status.left, { stage: stage.name, ...who }].slice(-mostLeft);
  return renumbered(status, { ...status, stages, byId: byId.filter(({ hosts }) => hosts.length > 0), left });
}
