import { setTimeout as sleep } from "node:timers/promises";
import type { StepInHand, StepName } from "../../src/updater/record/state.ts";
import type { Random } from "../fuzz/random.ts";
import { membersIn } from "../system/lab/agent-set.ts";
import { expectMended } from "./mended.ts";
import { beginPass, endOfPass } from "./pass.ts";
import { lastPassId, recordOf, tryRecordOf } from "./record.ts";
import { Missed } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import { isPowerCut, strike, type Victim } from "./strike.ts";
import { fingerprint, passIsRecorded, recordChanges, stepBegins } from "./watch-step.ts";

export type Kill = {
  /** While that step is in hand; or whenever it is; or when the pass has just recorded its end. */
  readonly when: StepName | "any instant" | "its end";
  readonly victim: Victim;
  /** What the next passes find. */
  readonly network: "up" | "down";
  /** What the killed pass was about: a version that does well, or one whose agent crashes. */
  readonly version: "good" | "bad";
  /** Killed once more, in the pass that repairs what the first kill has left. */
  readonly again: Victim | "nobody";
};

/** A step that nobody has timed yet. */
const usualStepMs = 150;
/** Later in a step its end comes before the kill does, on a busy machine. */
const latestPart = 0.7;
/** Of a step that is over so soon no later instant can be hit than the first. */
const briefStepMs = 200;
/** From the first word that a repairing pass writes. */
const longestSecondDelayMs = 400;

/** Kills, lets the next passes find what is left, and judges the host. Gives the step that was in hand. */
export async function killAndLook(stage: Stage, kill: Kill, random: Random): Promise<string> {
  const { host, versions } = stage;
  const target = await stage.publish(kill.version === "bad" ? { start: "crashes" } : {});
  versions.serve("default", { version: `v${target}` });
  const passBefore = lastPassId(host);
  // What a host has had for long is on its disk, whoever wrote it.
  if (kill.victim === "host, its caches lost") await host.mustRun(["sync", "--file-system", "/"]);
  await beginPass(host);
  const hits = [await strikeWhen(stage, { ...kill, passBefore }, random)];
  await settle(stage, kill);
  if (kill.victim === "host, its caches lost") hits.push(await tellFound(stage));
  const left = recordOf(host).step;
  if (kill.again !== "nobody") hits.push(await strikeAgain(stage, kill.again, random));
  const passes = await expectMended(stage, { target, version: kill.version, left, passBefore });
  await host.network.cable("in");
  return `${hits.join(", then ")}; ${passes}`;
}

type Aimed = Kill & { readonly passBefore: string | undefined };

async function strikeWhen({ host, learned }: Stage, { when, victim, passBefore }: Aimed, random: Random): Promise<string> {
  const { stepMs, passMs } = learned();
  const part = random.below(1000) / 1000;
  if (when === "any instant") await sleep(part * passMs);
  else if (when === "its end") await passIsRecorded(host, passBefore);
  else {
    await stepBegins(host, when);
    const takesMs = stepMs.get(when) ?? usualStepMs;
    if (takesMs > briefStepMs) await sleep(part * latestPart * takesMs);
  }
  const inHand = tryRecordOf(host)?.step;
  if (when !== "any instant" && when !== "its end" && inHand?.step !== when)
    throw new Missed(`the step ${when} was over: ${tellHit(inHand)}`);
  await strike(host, victim);
  return tellHit(inHand);
}

/** The host as the next pass finds it. */
async function settle({ host }: Stage, { victim, network }: Kill): Promise<void> {
  if (isPowerCut(victim)) await host.boot();
  // A pass that has lost its package manager goes on, with the network that it had.
  else await endOfPass(host);
  if (network === "down") await host.network.cable("out");
}

async function strikeAgain({ host }: Stage, victim: Victim, random: Random): Promise<string> {
  const before = fingerprint(host);
  await beginPass(host);
  try {
    await recordChanges(host, before);
    await sleep(random.below(longestSecondDelayMs));
    const inHand = tryRecordOf(host)?.step;
    await strike(host, victim);
    if (isPowerCut(victim)) await host.boot();
    return tellHit(inHand);
  } catch (thrown) {
    if (thrown instanceof Missed) return "mended before the second kill";
    throw thrown;
  } finally {
    await endOfPass(host);
  }
}

/** What the disk has of the agent and of all that moves with it, so that what was lost is seen. */
async function tellFound({ host, set: { names } }: Stage): Promise<string> {
  const audit = host.family === "apt" ? ["dpkg", "--verify"] : ["rpm", "--verify", "--noconfig"];
  const damage = (await host.enter([...audit, ...names])).stdout.trim().replaceAll(/\s+/g, " ");
  return `found ${(await membersIn(host, names)).join(", ")}${damage === "" ? "" : ` (${damage})`}`;
}

function tellHit(inHand: StepInHand | undefined): string {
  return inHand === undefined ? "between steps" : `at ${inHand.step}`;
}
