import type { UnixSeconds } from "../window/window.ts";
import { judge, judgingBy, type Verdict } from "./evidence.ts";
import type { Evidence, HostEvidence } from "./host-evidence.ts";
import { allRanks, isSeen, stageFinder } from "./membership.ts";
import { haltLimit, type Spec } from "./spec.ts";
import { stagesOf, type Stage } from "./stage.ts";
import type { Mark, Status } from "./status.ts";

/** The hosts of one stage, counted. */
export type Tally = Stage & {
  /** Whether every stage before it is done. */
  readonly hasTurn: boolean;
  members: number;
  /** Members that reported in the last day; counted only while the stage is about to begin. */
  seen: number;
  proven: number;
  moving: number;
  failed: number;
  silent: number;
  /** Members that can move and have not begun, whether they were told the target or not. */
  waiting: number;
  /** How many members cannot move, by the reason. */
  readonly blocked: Map<string, number>;
  /** Members that can move and were not told the target yet; empty before the stage's turn. */
  readonly able: HostEvidence[];
  /** The first members that failed or fell silent, for messages that name them. */
  readonly bad: { readonly host: HostEvidence; readonly kind: "failed" | "silent" }[];
  /** Members that keep to the window of the cluster or the channel. */
  inWindow: number;
  /** When a member last ended a move to the target, or proved the target; 0 if none did. */
  progress: UnixSeconds;
};

const mostNamed = 20;

/** One tally for each stage. */
export function tallyStages(spec: Spec, status: Status, evidence: Evidence): readonly Tally[] {
  const by = judgingBy(spec, status, evidence);
  const tallies = emptyTallies(stagesOf(spec, status));
  const stageOf = stageFinder(tallies);
  const named = namedFinder(status, tallies);
  const beginning = tallies.find((tally) => tally.hasTurn && tally.status.state === "waiting");
  for (const host of evidence.hosts) {
    const byName = named(host);
    const tally = byName?.tally ?? stageOf(host);
    if (tally === undefined) continue;
    const told = byName === undefined ? toldByRank(host.rank, status.marks) : byName.at;
    const verdict = judge(host, told, by);
    tally.members += 1;
    if (tally === beginning && isSeen(host, evidence)) tally.seen += 1;
    count(tally, verdict);
    if (verdict.kind === "waiting" && told === undefined && tally.hasTurn) tally.able.push(host);
    const { kind } = verdict;
    if ((kind === "failed" || kind === "silent") && tally.bad.length < mostNamed) tally.bad.push({ host, kind });
    if (host.updater?.window === "schedule") tally.inWindow += 1;
    const ended = host.updater?.ended;
    if (ended !== undefined && told !== undefined && by.isTarget(ended.version)) {
      tally.progress = Math.max(tally.progress, ended.at + (kind === "proven" ? by.proveSeconds : 0));
    }
  }
  return tallies;
}

function count(tally: Tally, verdict: Verdict): void {
  switch (verdict.kind) {
    case "proven":
      tally.proven += 1;
      break;
    case "moving":
      tally.moving += 1;
      break;
    case "failed":
      tally.failed += 1;
      break;
    case "silent":
      tally.silent += 1;
      break;
    case "waiting":
      tally.waiting += 1;
      break;
    case "blocked":
      tally.blocked.set(verdict.why, (tally.blocked.get(verdict.why) ?? 0) + 1);
      break;
  }
}

function emptyTallies(stages: readonly Stage[]): readonly Tally[] {
  const active = stages.findIndex(({ status }) => status.state !== "done");
  return stages.map((stage, index) => {
    const none = { members: 0, seen: 0, proven: 0, moving: 0, failed: 0, silent: 0, waiting: 0, inWindow: 0, progress: 0 };
    return { ...stage, ...none, hasTurn: active < 0 || index <= active, blocked: new Map(), able: [], bad: [] };
  });
}

type Named = { readonly at: UnixSeconds; readonly tally: Tally | undefined };

const filterSize = 2 ** 16;

/**
 * Finds hosts of stages that select by labels, once they were told the target. Each stays in the stage in which it was told, even if its labels
 * change. Finds no stage if the changed rollout has none of that name.
 */
function namedFinder({ byId }: Status, tallies: readonly Tally[]): (host: HostEvidence) => Named | undefined {
  const found = new Map<string, Named>();
  // Tells by the rank that most hosts are not in the map: looking up 100,000 ids takes a third of auth's time for a rollout.
  const filter = new Uint8Array(filterSize);
  const placeOf = (rank: number): number => Math.floor(rank / (allRanks / filterSize));
  for (const { at, stage, hosts } of byId) {
    const tally = tallies.find(({ status }) => status.name === stage);
    for (const { id, rank } of hosts) {
      found.set(id, { at, tally });
      filter[placeOf(rank)] = 1;
    }
  }
  return ({ id, rank }) => (filter[placeOf(rank)] === 1 ? found.get(id) : undefined);
}

function toldByRank(rank: number, marks: readonly Mark[]): UnixSeconds | undefined {
  for (const { at, below } of marks) if (rank < below) return at;
  return undefined;
}

/** The stage whose turn it is, for a rollout that is not done. */
export function activeIn(tallies: readonly Tally[]): Tally | undefined {
  return tallies.find(({ status }) => status.state !== "done");
}

/** How many hosts can move or have proven the target. Failed hosts are left out, because the stage does not wait for them. */
export function leftIn({ proven, moving, waiting: able }: Tally): number {
  return proven + moving + able;
}

/** Hosts that were told the target and have neither proven it nor failed. Leaves out blocked ones, or a dead host would stop a stage for ever. */
export function underWayIn({ moving, waiting: all, able }: Tally): number {
  return moving + all - able.length;
}

export type Distance = { readonly kind: "failed" | "silent"; readonly hosts: number; readonly limit: number };

/** How far a stage is from halting. Hosts that a person accepted do not count. */
export function distancesOf({ halt }: Spec, tally: Tally): readonly [failed: Distance, silent: Distance] {
  const { hosts, excused } = tally.status;
  const distance = (kind: "failed" | "silent"): Distance => ({
    kind,
    hosts: Math.max(0, tally[kind] - excused[kind]),
    limit: haltLimit(halt[kind], hosts, halt.atLeast),
  });
  return [distance("failed"), distance("silent")];
}
