import { setTimeout as sleep } from "node:timers/promises";
import type { StepInHand, StepName } from "../../src/updater/record/state.ts";
import type { Host } from "../system/lab/host.ts";
import { isPassing } from "./pass.ts";
import { lastPassId, openMoveOf, tryRecordOf } from "./record.ts";
import { Missed } from "./scenario.ts";

const pollMs = 2;
/** Asking systemd is dearer than reading a file. */
const pollsBetweenQuestions = 100;
const longestWaitMs = 180_000;

/** Waits for the moment when the record has that step in hand. */
export function stepBegins(host: Host, step: StepName): Promise<StepInHand> {
  return duringPass(host, `the pass ended without the step ${step}`, () => {
    const inHand = tryRecordOf(host)?.step;
    return inHand?.step === step ? inHand : undefined;
  });
}

/** Waits until the acting unit has let the change past the gates, too: from then on it is done whatever happens to them. */
export async function changeBegins(host: Host): Promise<void> {
  const { pass } = await stepBegins(host, "install");
  await duringPass(host, "the pass ended before it changed anything", () => openMoveOf(host)?.pass === pass || undefined);
}

/** Waits for the first thing that a pass writes into a record that is as given. */
export async function recordChanges(host: Host, from: string): Promise<void> {
  await duringPass(host, "the pass ended without a word", () => fingerprint(host) !== from || undefined);
}

/** Waits for the last thing that it writes. */
export async function passIsRecorded(host: Host, before: string | undefined): Promise<void> {
  await duringPass(host, "the pass left no record", () => lastPassId(host) !== before || undefined);
}

/** What tells one record from the next. */
export function fingerprint(host: Host): string {
  const state = tryRecordOf(host);
  return JSON.stringify([state?.step, state?.passes[0]?.id]);
}

async function duringPass<Seen>(host: Host, missed: string, look: () => Seen | undefined): Promise<Seen> {
  const deadline = performance.now() + longestWaitMs;
  for (let polls = 1; performance.now() < deadline; polls += 1) {
    const seen = look();
    if (seen !== undefined) return seen;
    if (polls % pollsBetweenQuestions === 0 && !(await isPassing(host))) break;
    await sleep(pollMs);
  }
  throw new Missed(missed);
}
