import { randomOf } from "./random.ts";
import { show, type Target, type Trial, type Verdict } from "./target.ts";
import { targets } from "./targets.ts";

/** `first` and `count` are indexes of inputs; where one target is named, the others' are passed over. */
export type Campaign = {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  readonly source: string;
  readonly only?: string | undefined;
  /** It ends when it has found so many. */
  readonly mostFindings: number;
};

export type Finding = { readonly target: string; readonly index: number; readonly input: string; readonly told: string };

export type Tally = { accepted: number; refused: number; slowestMs: number };

export type Report = { readonly findings: readonly Finding[]; readonly tallies: ReadonlyMap<string, Tally> };

/** Puts one input after the other to the targets in turn. `begin` hears of each before it starts. */
export async function fuzz(campaign: Campaign, begin: (index: number) => void = () => {}): Promise<Report> {
  const findings: Finding[] = [];
  const tallies = new Map<string, Tally>();
  const loaded = await Promise.all(
    targets.map(async (each) => (isWanted(each, campaign) ? each.load(campaign.source) : undefined)),
  );
  for (
    let index = campaign.first;
    index < campaign.first + campaign.count && findings.length < campaign.mostFindings;
    index += 1
  ) {
    const { name } = targets[index % targets.length]!;
    const make = loaded[index % targets.length];
    if (make === undefined) continue;
    begin(index);
    const trial = make(randomOf(campaign.seed, index));
    // oxlint-disable-next-line no-await-in-loop -- one at a time, so that the one that never ends is known
    const { verdict, ms } = await put(trial);
    const tally = tallies.get(name) ?? { accepted: 0, refused: 0, slowestMs: 0 };
    tallies.set(name, tally);
    tally.slowestMs = Math.max(tally.slowestMs, ms);
    if (verdict.kind === "finding") findings.push({ target: name, index, input: show(trial.input), told: verdict.told });
    else tally[verdict.kind] += 1;
  }
  return { findings, tallies };
}

/** What the input of an index was, for the one that did not end. */
export async function inputAt(campaign: Campaign, index: number): Promise<{ readonly target: string; readonly input: string }> {
  const chosen = targets[index % targets.length]!;
  const make = await chosen.load(campaign.source);
  return { target: chosen.name, input: show(make(randomOf(campaign.seed, index)).input) };
}

function isWanted({ name }: Target, { only }: Campaign): boolean {
  return only === undefined || only === name;
}

/** Ten times what the slowest input takes on a slow machine; what is quadratic in 60,000 characters takes seconds. */
const longestMs = 400;
/** Time of the processor, so that a busy machine does not count; the first time some of it may go to the compiler. */
const triesWhenSlow = 3;

async function put(trial: Trial): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  let fastest = Infinity;
  let verdict: Verdict = { kind: "refused" };
  for (let tries = 0; tries < triesWhenSlow && fastest > longestMs; tries += 1) {
    const before = process.threadCpuUsage();
    // oxlint-disable-next-line no-await-in-loop -- it is timed
    verdict = await judge(trial);
    const { user, system } = process.threadCpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  if (verdict.kind !== "finding" && fastest > longestMs) verdict = { kind: "finding", told: `takes ${Math.round(fastest)} ms` };
  return { verdict, ms: fastest };
}

async function judge(trial: Trial): Promise<Verdict> {
  try {
    return await trial.judge();
  } catch (thrown) {
    return { kind: "finding", told: `crashes: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}` };
  }
}
