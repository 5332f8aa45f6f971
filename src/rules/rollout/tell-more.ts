import { kthSmallest } from "./membership.ts";
import type { Evidence, HostEvidence } from "./host-evidence.ts";
import { mostMarks, thresholdOf, type Mark, type Status, type ToldById } from "./status.ts";
import { portionOf } from "./spec.ts";
import { activeIn, underWayIn, type Tally } from "./tally.ts";

/**
 * Tells more hosts the target, in the order of their ranks, up to `at_once` of them at a time. The limit also holds for hosts that come back when
 * their stage is soaking or done: after an outage, half of a fleet may come back together.
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
      const below = belowFor([tally], atOnce - underWayIn(tally), named);
      const told = tally.able.filter(({ rank }) => rank < below);
      for (const host of told) named.add(host);
      const group = { at: now, stage: stage.name, hosts: told.map(({ id, rank }) => ({ id, rank })) };
      if (told.length > 0) next = { ...next, byId: withGroup(next.byId, group) };
    } else if (tally === active) {
      // A higher threshold also tells hosts of earlier stages, so these take places as well.
      const passed = tallies.filter((one) => one.hasTurn);
      const places = passed.reduce((left, one) => left - underWayIn(one), atOnce - named.size);
      // In a large fleet there is most often no place, and the ranks need no sorting.
      if (places <= 0) continue;
      const below = belowFor(passed, places, named);
      if (below > thresholdOf(next)) next = { ...next, marks: withMark(next.marks, { at: now, below }) };
    }
  }
  return next;
}

/** The rank below which there are that many hosts that can move, or all of them. */
function belowFor(tallies: readonly Tally[], places: number, named: ReadonlySet<HostEvidence>): number {
  const ranks: number[] = [];
  for (const { able } of tallies) for (const host of able) if (!named.has(host)) ranks.push(host.rank);
  const wanted = Math.min(places, ranks.length);
  return wanted <= 0 ? 0 : kthSmallest(ranks, wanted) + 1;
}

/** Hosts that are told within this time share the first time, so that a failure after it counts. */
const togetherSeconds = 600;

function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  const last = marks.at(-1);
  if (last !== undefined && mark.at - last.at < togetherSeconds) return [...marks.slice(0, -1), { ...last, below: mark.below }];
  return bounded([...marks, mark], (first, second) => ({ ...first, below: second.below }));
}

function withGroup(groups: readonly ToldById[], told: ToldById): readonly ToldById[] {
  const last = groups.at(-1);
  if (last?.stage === told.stage && told.at - last.at < togetherSeconds) return [...groups.slice(0, -1), joined(last, told)];
  const own = groups.filter(({ stage }) => stage === told.stage);
  const others = groups.filter(({ stage }) => stage !== told.stage);
  return [...others, ...bounded([...own, joined({ ...told, hosts: [] }, told)], joined)];
}

function joined(first: ToldById, second: ToldById): ToldById {
  const hosts = [...first.hosts, ...second.hosts];
  return { ...first, hosts: hosts.sort((left, right) => left.rank - right.rank) };
}

/** Joins the two oldest rows if there are too many. */
function bounded<T>(rows: readonly T[], join: (first: T, second: T) => T): readonly T[] {
  return rows.length > mostMarks ? [rows.slice(0, 2).reduce(join), ...rows.slice(2)] : rows;
}
