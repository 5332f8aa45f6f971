import { advance } from "../../../../src/rules/rollout/advance.ts";
import { answersBy, wordOf } from "../../../../src/rules/rollout/answer.ts";
import type { Evidence } from "../../../../src/rules/rollout/host-evidence.ts";
import type { Spec } from "../../../../src/rules/rollout/spec.ts";
import { standingOf, type Status } from "../../../../src/rules/rollout/status.ts";
import { begin, skip } from "../../../../src/rules/rollout/steer.ts";
import { daySeconds, hourSeconds } from "../../../../src/rules/window/seconds.ts";
import { from, target, type Host } from "./fleet.ts";

export type Scene = {
  readonly hosts: readonly Host[];
  /** Undefined: every host is told at once. */
  readonly spec: Spec | undefined;
  /** When the target is served first, and the hour of the daily window. */
  readonly began: number;
  readonly windowHour: number;
  readonly mostDays?: number;
};

export type Moment = { readonly at: number; readonly atTarget: number; readonly reached: number };

export type Played = {
  readonly end: "done" | "halted" | "hanging";
  readonly seconds: number;
  readonly status: Status | undefined;
  /** Bad hosts that installed the target. */
  readonly reached: number;
  readonly skips: number;
  /** Every six hours. */
  readonly moments: readonly Moment[];
  /** Milliseconds of processor time of each look at the whole fleet. */
  readonly looks: readonly number[];
};

/** Nothing should take so long. */
const longestDays = 21;
const stepSeconds = 300;
/** Less would not be begun. */
const leastOfWindow = 600;
/** What is under way when it ends still moves. */
const settlesSeconds = 2 * hourSeconds;
const momentSeconds = 6 * hourSeconds;

type Playing = Pick<Scene, "hosts" | "windowHour"> & {
  now: number;
  tick: number;
  /** What the proxies answer. */
  isTold: (host: Host) => boolean;
};

/** Plays a rollout on a virtual clock: five minutes a tick around the window, half an hour at other times. */
export function play({ hosts, spec, began, windowHour, mostDays = longestDays }: Scene): Played {
  const state: Playing = { hosts, now: began, windowHour, tick: 0, isTold: () => true };
  const rollout = spec && new Rollout(spec, state);
  const moments: Moment[] = [];
  let endedAt = Infinity;
  while (state.now < began + mostDays * daySeconds && state.now < endedAt + settlesSeconds) {
    for (const host of hosts) act(host, state);
    rollout?.look(state);
    if (endedAt === Infinity && rollout !== undefined && rollout.end !== "hanging") endedAt = state.now;
    if (Math.floor(state.now / momentSeconds) > Math.floor((moments.at(-1)?.at ?? 0) / momentSeconds))
      moments.push(momentOf(state));
    const sinceOpening = mod(state.now - windowHour * hourSeconds, daySeconds);
    state.now += sinceOpening < 4 * hourSeconds || sinceOpening > daySeconds - hourSeconds ? stepSeconds : 6 * stepSeconds;
    state.tick += 1;
  }
  moments.push(momentOf(state));
  const seconds = Math.min(endedAt, state.now) - began;
  const { end = "hanging", status, skips = 0, looks = [] } = rollout ?? {};
  return { end, seconds, status, reached: moments.at(-1)!.reached, skips, moments, looks };
}

/** The cluster's side: looks at the evidence, tells the proxies, and skips for a person what waits for one. */
class Rollout {
  readonly looks: number[] = [];
  skips = 0;
  status: Status;
  readonly #spec: Spec;
  #stuckSince = Infinity;

  constructor(spec: Spec, state: Playing) {
    this.#spec = spec;
    const nothing = { from: { kind: "version", version: from }, before: undefined } as const;
    this.status = begin(spec, { evidence: evidenceOf(state), ...nothing });
    this.#tell(state);
  }

  get end(): Played["end"] {
    const { kind } = standingOf(this.status);
    return kind === "done" || kind === "halted" ? kind : "hanging";
  }

  look(state: Playing): void {
    const evidence = evidenceOf(state);
    const before = this.status;
    const start = process.threadCpuUsage();
    this.status = advance(this.#spec, before, evidence);
    const { user, system } = process.threadCpuUsage(start);
    this.looks.push((user + system) / 1000);
    this.#skipAfterADay(state.now);
    if (before.number !== this.status.number) this.#tell(state);
  }

  #skipAfterADay(now: number): void {
    const active = this.status.stages.find(({ state }) => state !== "done");
    if (active?.why !== "empty" && active?.why !== "blocked") {
      this.#stuckSince = Infinity;
      return;
    }
    this.#stuckSince = Math.min(this.#stuckSince, now);
    if (now - this.#stuckSince <= daySeconds) return;
    this.status = skip(this.status, active.name, { who: "a person", at: now, why: "" })!;
    this.#stuckSince = Infinity;
    this.skips += 1;
  }

  #tell(state: Playing): void {
    const answer = answersBy(wordOf(this.#spec, this.status));
    state.isTold = ({ evidence }) => {
      const told = answer({ installed: evidence.updater.installed, named: evidence });
      return told.kind === "version" && told.version === target;
    };
  }
}

function evidenceOf({ hosts, now, windowHour }: Playing): Evidence {
  const lastClosed = now - hourSeconds - mod(now - hourSeconds - windowHour * hourSeconds, daySeconds);
  return {
    hosts: hosts.map(({ evidence }) => evidence),
    now,
    secondsSince: (at) => now - at,
    twoWindowsAgo: lastClosed - daySeconds,
  };
}

function act(host: Host, state: Playing): void {
  const { now } = state;
  const { evidence } = host;
  if (now >= host.diesAt) return;
  if (isOff(host, now)) {
    // Its last word. It does not finish a move before it is switched on again.
    if (!evidence.goodbye) Object.assign(evidence, { goodbye: true, reported: now });
    return;
  }
  evidence.goodbye = false;
  evidence.reported = now;
  const { updater } = evidence;
  if (host.lies !== undefined) {
    if (state.isTold(host)) lie(host, now);
    return;
  }
  if (updater.step !== undefined) {
    if (now >= host.stepUntil) finish(host, now);
    return;
  }
  const left = hourSeconds - mod(now - state.windowHour * hourSeconds, daySeconds);
  const isAsking = left >= leastOfWindow && (state.tick + evidence.rank) % 2 === 0;
  if (!isAsking || updater.installed === target) return;
  const isTold = state.isTold(host);
  updater.served = isTold ? target : from;
  if (!isTold || updater.held || updater.rejected.length > 0) return;
  updater.step = "install";
  host.stepUntil = now + stepSeconds;
  host.isReached = true;
}

/** Says at once what it says; nothing makes it wait for a window. */
function lie({ evidence: { updater }, lies }: Host, now: number): void {
  if (updater.ended !== undefined) return;
  const kind = lies === "failed" ? "undone" : "moved";
  updater.ended = { kind, version: target, fault: lies === "failed" ? "unhealthy" : undefined, said: now, at: now };
  if (lies === "well") updater.installed = target;
}

function isOff({ off }: Host, now: number): boolean {
  const second = now % daySeconds;
  return off !== undefined && (second >= off.at || second < off.until);
}

function finish(host: Host, now: number): void {
  const { updater } = host.evidence;
  if (host.breaks === "network") {
    // Its last report says that it moves.
    host.diesAt = now;
    return;
  }
  updater.step = undefined;
  if (host.breaks === "start") {
    updater.ended = { kind: "undone", version: target, fault: "unhealthy", said: now, at: now };
    updater.rejected = [target];
    updater.decision = { kind: "stay", why: "rejected" };
    return;
  }
  updater.installed = target;
  updater.ended = { kind: "moved", version: target, fault: undefined, said: now, at: now };
  if (host.breaks === "later") host.diesAt = now + 4 * stepSeconds;
}

function momentOf({ hosts, now }: Playing): Moment {
  let [atTarget, reached] = [0, 0];
  for (const { evidence, breaks, isReached } of hosts) {
    if (evidence.updater.installed === target) atTarget += 1;
    if (isReached && breaks !== undefined) reached += 1;
  }
  return { at: now, atTarget, reached };
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
