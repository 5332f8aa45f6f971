import { setTimeout as wait } from "node:timers/promises";
import { uniformOf } from "../chance.ts";
import { playHost } from "../host.ts";
import type { Fleet } from "../load.ts";
import type { Scenario } from "../scenario.ts";
import type { Asker } from "./asker.ts";
import { measured, type Measured } from "./measured.ts";
import { processFigures } from "./process-figures.ts";
import { Turnstile } from "./turnstile.ts";

export type PlannedLook = { readonly at: number; readonly requests: 1 | 2 };

/** The looks of all hosts in the order of time, counted from the scenario's begin. */
export function plannedLooks(scenario: Scenario, { timer, hosts, seed }: Fleet): readonly PlannedLook[] {
  const looks: PlannedLook[] = [];
  const uniform = uniformOf(seed);
  const onLook = (at: number, { requests }: { readonly requests: 1 | 2 }): void =>
    void looks.push({ at: at - scenario.from, requests });
  for (let host = 0; host < hosts; host += 1) playHost(scenario, timer, { uniform, onLook });
  return looks.sort((left, right) => left.at - right.at);
}

/** One process plays all hosts: with more of them at once it would be the one that cannot keep up. What comes later is told as late. */
const mostUnderWay = 128;

export type Ride = {
  readonly ask: Asker;
  readonly processId: number;
  readonly speed: number;
  /** Until the runtime of the server has compiled what it does often. */
  readonly warmUpLooks: number;
};

/** Asks as all those hosts would, so many times as fast, and measures what it got and what that cost the server. */
export async function drive(looks: readonly PlannedLook[], { ask, processId, speed, warmUpLooks }: Ride): Promise<Measured> {
  for (let count = 0; count < warmUpLooks; count += 1) await ask("version");
  const notes = { answers: [] as { endedMs: number; tookMs: number }[], lateMs: [] as number[], errors: [] as string[] };
  const before = processFigures(processId);
  const beganMs = performance.now();
  const one = async (question: "version" | "critical"): Promise<void> => {
    const askedMs = performance.now();
    try {
      await ask(question);
      const endedMs = performance.now();
      notes.answers.push({ endedMs: endedMs - beganMs, tookMs: endedMs - askedMs });
    } catch (error) {
      notes.errors.push(error instanceof Error ? error.message : String(error));
    }
  };
  const turnstile = new Turnstile(mostUnderWay);
  const look = async (requests: 1 | 2): Promise<void> => {
    await one("version");
    if (requests === 2) await one("critical");
    turnstile.leave();
  };
  const all: Promise<void>[] = [];
  for (const { at, requests } of looks) {
    const dueMs = beganMs + (at * 1000) / speed;
    const early = dueMs - performance.now();
    if (early > 0) await wait(early);
    await turnstile.enter();
    notes.lateMs.push(performance.now() - dueMs);
    all.push(look(requests));
  }
  await Promise.all(all);
  const after = processFigures(processId);
  const cpuSeconds = after.cpuSeconds - before.cpuSeconds;
  return measured(notes, { cpuSeconds, peakKilobytes: after.peakKilobytes });
}
