import { daySeconds } from "../window/seconds.ts";
import type { Version } from "../version/version.ts";
import type { Evidence, HostEvidence } from "./host-evidence.ts";
import { percentOf, type Select, type StageSpec } from "./spec.ts";
import type { Stage } from "./stage.ts";

/** SHA-256 of a text, in hexadecimal. */
export type Sha256 = (text: string) => string;

/** Every rank is below this. */
export const allRanks: number = 2 ** 48;

/** A host's place in the order in which hosts move to a target. Each target has another order, so that no host is always the first. */
export function rankOf(id: string, target: Version, sha256: Sha256): number {
  return Number.parseInt(sha256(`${target}\n${id}`).slice(0, 12), 16);
}

type Selectable = Pick<HostEvidence, "rank" | "labels">;

/** Finds the first stage that selects a host. */
export function stageFinder<T extends Stage>(stages: readonly T[]): (host: Selectable) => T | undefined {
  const selectors = stages.map((stage) => ({ stage, selects: selectorOf(stage.spec.select, stage.status.below) }));
  return (host) => {
    for (const { stage, selects } of selectors) if (selects(host)) return stage;
    return undefined;
  };
}

const anyValue = "*";

/** Selects hosts by the stage's labels, or by their rank if the stage has none. */
function selectorOf(select: Select, below: number): (host: Selectable) => boolean {
  if (select.kind !== "labels") return ({ rank }) => rank < below;
  const wanted = Object.entries(select.labels);
  return ({ labels }) => {
    for (const [name, value] of wanted) {
      const found = labels[name];
      if (typeof found !== "string" || (found !== value && value !== anyValue)) return false;
    }
    return true;
  };
}

/** A stage that selects a share has the hosts below this rank. Hosts that earlier stages select by labels do not count towards the share. */
export function stageBelow({ select }: StageSpec, earlier: readonly StageSpec[], evidence: Evidence): number {
  if (select.kind === "others") return allRanks;
  if (select.kind === "labels") return 0;
  const labelled = earlier.filter((stage) => stage.select.kind === "labels").map((stage) => selectorOf(stage.select, 0));
  const seen = evidence.hosts.filter((host) => isSeen(host, evidence));
  const selectable = seen.filter((host) => !labelled.some((selects) => selects(host)));
  const wanted = Math.min(selectable.length, Math.max(1, percentOf(select.percent, seen.length)));
  return wanted === 0
    ? 0
    : kthSmallest(
        selectable.map(({ rank }) => rank),
        wanted,
      ) + 1;
}

/** A host that has not reported for a day does not count when a stage is measured. */
export function isSeen({ reported }: HostEvidence, { secondsSince }: Evidence): boolean {
  return reported !== undefined && secondsSince(reported) <= daySeconds;
}

const buckets = 4096;

/** The k-th smallest rank. Counts in buckets first: sorting 100,000 ranks would take longer than everything else that auth does with them. */
export function kthSmallest(ranks: readonly number[], k: number): number {
  const sizes = new Uint32Array(buckets);
  for (const rank of ranks) {
    const bucket = bucketOf(rank);
    sizes[bucket] = Number(sizes[bucket]) + 1;
  }
  let before = 0;
  let bucket = 0;
  for (const size of sizes) {
    if (before + size >= k) break;
    before += size;
    bucket += 1;
  }
  const within = ranks.filter((rank) => bucketOf(rank) === bucket);
  return Math.max(...within.sort((left, right) => left - right).slice(0, k - before));
}

function bucketOf(rank: number): number {
  return Math.floor(rank / (allRanks / buckets));
}
