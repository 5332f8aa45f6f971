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
  /** Members that were seen in the last day; counted while the stage may begin. */
  seen: number;
  proven: number;
  moving: number;
  failed: number;
  silent: number;
  /** Able to move, told or not. */
  waiting: number;
  /** Members by the reason why they cannot move, told or not. */
  readonly blocked: Map<string, number>;
  /** Able to move and not told; listed only if the stage has its turn. */
  readonly able: HostEvidence[];
  /** The first that failed or fell silent, to be named. */
  readonly bad: { readonly host: HostEvidence; readonly kind: "failed" | "silent" }[];
  /** Members that heed the window of the cluster or the channel. */
  inWindow: number;
  /** When one of its hosts that were told ended a move to the target last, or proved it; 0 if none did. */
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
 * Finds hosts that were told by their ids. Each stays in the stage in which it was told, whatever becomes of its labels. Where a new file has no stage of
 * that name, none is found.
 */
function namedFinder({ byId }: Status, tallies: readonly Tally[]): (host: HostEvidence) => Named | undefined {
  const found = new Map<string, Named>();
  // Looking up 100,000 ids would take a third of a look, so most hosts are told apart by their ranks.
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

/** How many hosts can move or have proven the target. A failed one is not waited for. */
export function leftIn({ proven, moving, waiting: able }: Tally): number {
  return proven + moving + able;
}

/** Hosts that were told and have neither proven the target nor failed. A blocked one takes no place, or a dead host would hold up a stage for ever. */
export function underWayIn({ moving, waiting: all, able }: Tally): number {
  return moving + all - able.length;
}

export type Distance = { readonly kind: "failed" | "silent"; readonly hosts: number; readonly limit: number };

/** How far a stage is from halting. What a person has accepted does not count. */
export function distancesOf({ halt }: Spec, tally: Tally): readonly [failed: Distance, silent: Distance] {
  const { hosts, excused } = tally.status;
  const distance = (kind: "failed" | "silent"): Distance => ({
    kind,
    hosts: Math.max(0, tally[kind] - excused[kind]),
    limit: haltLimit(halt[kind], hosts, halt.atLeast),
  });
  return [distance("failed"), distance("silent")];
}
