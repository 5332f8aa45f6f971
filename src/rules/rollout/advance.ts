import { percentOf, type Spec } from "./spec.ts";
import type { Evidence } from "./host-evidence.ts";
import { stageBelow } from "./membership.ts";
import { renumbered, standingOf, type Halt, type StageStatus, type Status } from "./status.ts";
import { activeIn, distancesOf, leftIn, tallyStages, type Tally } from "./tally.ts";
import { tellMore } from "./tell-more.ts";

/** Computes a rollout's next status from what is known of its hosts. Returns the same object if nothing changes. */
export function advance(spec: Spec, status: Status, evidence: Evidence): Status {
  let current = status;
  for (;;) {
    const before = current;
    current = advanceOnce(spec, before, evidence);
    // Counts the hosts again after a stage began or ended, because the next stage may begin at once.
    if (stepsIn(current) === stepsIn(before)) break;
  }
  return current === status ? status : renumbered(status, current);
}

function stepsIn({ stages }: Status): string {
  return stages.map(({ state, why, below }) => `${state} ${why} ${below}`).join();
}

function advanceOnce(spec: Spec, status: Status, evidence: Evidence): Status {
  const { kind } = standingOf(status);
  if (kind === "undone" || kind === "done") return status;
  const tallies = tallyStages(spec, status, evidence);
  const seen = withExcuses(status, tallies);
  if (kind === "halted") return seen;
  const halted = haltIn(spec, tallies, evidence);
  if (halted !== undefined) return { ...seen, halted };
  if (kind === "paused") return seen;
  const active = activeIn(tallies);
  const next = active && nextOf(spec, active, evidence);
  return next === undefined ? tellMore(seen, tallies, evidence) : withStage(seen, next);
}

/** Lowers the accepted counts when hosts recover, so that their next failure counts. */
function withExcuses(status: Status, tallies: readonly Tally[]): Status {
  let next = status;
  for (const { status: stage, failed, silent } of tallies) {
    const { excused } = stage;
    if (excused.failed <= failed && excused.silent <= silent) continue;
    const fewer = { failed: Math.min(excused.failed, failed), silent: Math.min(excused.silent, silent) };
    next = withStage(next, { ...stage, excused: fewer });
  }
  return next;
}

/** A failure in a stage that is done halts the rollout too: a version may fail late. */
function haltIn(spec: Spec, tallies: readonly Tally[], { now }: Evidence): Halt | undefined {
  for (const tally of tallies) {
    const { name, state } = tally.status;
    const reached = distancesOf(spec, tally).find(({ hosts, limit }) => hosts >= limit);
    if (reached !== undefined && state !== "waiting") return { stage: name, ...reached, at: now };
  }
  return undefined;
}

/** The next status of the stage whose turn it is; undefined if it does not change. */
function nextOf(spec: Spec, tally: Tally, evidence: Evidence): StageStatus | undefined {
  const { state } = tally.status;
  if (state === "waiting") return begun(spec, tally, evidence);
  return state === "moving" ? proven(spec, tally, evidence) : soaked(tally, evidence);
}

function begun(spec: Spec, { spec: own, status: stage, members, seen }: Tally, evidence: Evidence): StageStatus | undefined {
  const earlier = spec.stages.slice(0, spec.stages.indexOf(own));
  const below = Math.max(stage.below, stageBelow(own, earlier, evidence));
  // Hosts have joined the channel, so the stage's percentage is more hosts now.
  if (below !== stage.below) return { ...stage, below };
  if (members === 0) return because(stage, "empty");
  return { ...stage, state: "moving", why: "moving", since: evidence.now, began: evidence.now, hosts: seen };
}

function proven({ donePercent }: Spec, tally: Tally, { now }: Evidence): StageStatus | undefined {
  const { status: stage, able, proven: hosts } = tally;
  const left = leftIn(tally);
  if (left === 0) return because(stage, "blocked");
  const isProven = able.length === 0 && hosts >= Math.max(1, percentOf(donePercent, left));
  return isProven ? { ...stage, state: "soaking", why: "soaking", since: now } : because(stage, "moving");
}

/** Ends a soak. A host that came back during the soak moves first, so the stage waits for it. */
function soaked({ spec, status: stage, able }: Tally, { now }: Evidence): StageStatus | undefined {
  const isOver = now >= stage.since + spec.soakSeconds && able.length === 0;
  return isOver ? { ...stage, state: "done", why: "soaked", since: now } : undefined;
}

function because(stage: StageStatus, why: StageStatus["why"]): StageStatus | undefined {
  return stage.why === why ? undefined : { ...stage, why };
}

function withStage(status: Status, stage: StageStatus): Status {
  return { ...status, stages: status.stages.map((one) => (one.name === stage.name ? stage : one)) };
}
