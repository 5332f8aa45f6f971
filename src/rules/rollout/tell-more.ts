import { kthSmallest } from "./membership.ts";
import type { Evidence, HostEvidence } from "./host-evidence.ts";
import { mostMarks, thresholdOf, type Mark, type Status, type ToldById } from "./status.ts";
import { portionOf } from "./spec.ts";
import { activeIn, underWayIn, type Tally } from "./tally.ts";

/**
 * Tells more hosts, in the order of their ranks, as far as `at_once` leaves places. A host that comes back late finds its stage soaking or done, and
 * still takes a place: after an outage half of a fleet comes back together.
 */
export function tellMore(status: Status, tallies: readonly Tally[], { now }: Pick<Evidence, "now">): Status {
  const active = activeIn(tallies);
  const named = new Set<HostEvidence>();
  let next = status;
  for (const tally of tallies) {
    const { spec, status: stage } = tally;
    if (stage.state === "waiting") continue;
    const atOnce = portionOf(spec.atOnce, stage.hosts);
    if (spec.select.kind === "labels") {
      const below = belowFor(tally.able, atOnce - underWayIn(tally));
      const told = tally.able.filter(({ rank }) => rank < below);
      for (const host of told) named.add(host);
      const ids = told.map(({ id }) => id);
      if (ids.length > 0) next = { ...next, ids: withIds(next.ids, { at: now, stage: stage.name, ids }) };
    } else if (tally === active) {
      // The threshold passes the hosts of earlier stages that have not been told, so these take places as well.
      const passed = tallies.filter((one) => one.hasTurn);
      const places = passed.reduce((left, one) => left - underWayIn(one), atOnce - named.size);
      // A look at a large fleet most often ends here.
      if (places <= 0) continue;
      const below = belowFor(ableIn(passed, named), places);
      if (below > thresholdOf(next)) next = { ...next, marks: withMark(next.marks, { at: now, below }) };
    }
  }
  return next;
}

function ableIn(tallies: readonly Tally[], named: ReadonlySet<HostEvidence>): readonly HostEvidence[] {
  const able = tallies.map((one) => one.able).flat();
  return named.size === 0 ? able : able.filter((host) => !named.has(host));
}

/** The rank below which are so many of them, or all. */
function belowFor(able: readonly HostEvidence[], places: number): number {
  const wanted = Math.min(places, able.length);
  return wanted <= 0 ? 0 : kthSmallest(able, wanted) + 1;
}

/** Hosts told within so many seconds count as told together, at the first of these times: a failure is never taken for one of before. */
const togetherSeconds = 600;

function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  const last = marks.at(-1);
  if (last !== undefined && mark.at - last.at < togetherSeconds) return [...marks.slice(0, -1), { ...last, below: mark.below }];
  return bounded([...marks, mark], (first, second) => ({ ...first, below: second.below }));
}

function withIds(groups: readonly ToldById[], told: ToldById): readonly ToldById[] {
  const last = groups.at(-1);
  if (last?.stage === told.stage && told.at - last.at < togetherSeconds) return [...groups.slice(0, -1), joined(last, told)];
  const own = groups.filter(({ stage }) => stage === told.stage);
  const others = groups.filter(({ stage }) => stage !== told.stage);
  return [...others, ...bounded([...own, joined({ ...told, ids: [] }, told)], joined)];
}

function joined(first: ToldById, second: ToldById): ToldById {
  return { ...first, ids: [...first.ids, ...second.ids].toSorted() };
}

/** The two oldest become one. */
function bounded<T>(rows: readonly T[], join: (first: T, second: T) => T): readonly T[] {
  return rows.length > mostMarks ? [rows.slice(0, 2).reduce(join), ...rows.slice(2)] : rows;
}
