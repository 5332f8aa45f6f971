import { hash } from "node:crypto";
import type { HostEvidence, UpdaterSaid } from "../../../../src/rules/rollout/host-evidence.ts";
import { rankOf } from "../../../../src/rules/rollout/membership.ts";
import type { Spec, StageSpec } from "../../../../src/rules/rollout/spec.ts";
import type { ChannelName } from "../../../../src/rules/channel/path.ts";
import type { Version } from "../../../../src/rules/version/version.ts";
import { daySeconds, hourSeconds } from "../../../../src/rules/window/seconds.ts";
import { wholeFrom, type Draw } from "./draw.ts";

export const from = "15.4.5" as Version;
export const target = "15.4.6" as Version;

/** How a version breaks a host: the agent crashes and is taken back, or the host loses its network, or the agent crashes once it has settled. */
export type Breaks = "start" | "network" | "later";

/** What a host that was taken over reports once it is told: that the target failed on it, or that it is well there. It installs nothing. */
export type Lie = "failed" | "well";

type Mutable<T> = { -readonly [P in keyof T]: T[P] };

export type Host = {
  readonly evidence: Mutable<Omit<HostEvidence, "updater">> & { readonly updater: Mutable<UpdaterSaid> };
  /** Seconds of the day at which it is switched off and on; undefined: never. */
  readonly off: { readonly at: number; readonly until: number } | undefined;
  readonly breaks: Breaks | undefined;
  readonly lies: Lie | undefined;
  stepUntil: number;
  /** When its agent dies, and with it the reports. */
  diesAt: number;
  isReached: boolean;
};

export type Kind = {
  readonly hosts: number;
  readonly canaries: number;
  /** Shares of the hosts. */
  readonly off: number;
  readonly dead: number;
  readonly held: number;
  /** Any version fails on them. */
  readonly failing: number;
  /** The new version fails on them. */
  readonly bad: number;
  readonly breaks: Breaks;
  /** The share of hosts that lie, and how. */
  readonly liars?: number;
  readonly lie?: Lie;
};

export function drawFleet(kind: Kind, draw: Draw, now: number): readonly Host[] {
  return Array.from({ length: kind.hosts }, (_, index) => drawHost(index, { kind, draw, now }));
}

type Surroundings = { readonly kind: Kind; readonly draw: Draw; readonly now: number };

function drawHost(index: number, { kind, draw, now }: Surroundings): Host {
  const id = Math.floor(draw() * 2 ** 32).toString(16) + index.toString(16);
  const isHeld = draw() < kind.held;
  const isDead = draw() < kind.dead;
  const fails = draw() < kind.failing ? "start" : undefined;
  const at = (19 + 3 * draw()) * hourSeconds;
  const until = (6 + 3 * draw()) * hourSeconds;
  return {
    evidence: {
      id,
      rank: rankOf(id, target, (text) => hash("sha256", text)),
      labels: index < kind.canaries ? { env: "canary" } : {},
      reported: isDead ? now - wholeFrom(draw, 1, 29) * daySeconds : now,
      goodbye: false,
      isShared: false,
      updater: {
        installed: from,
        served: from,
        decision: isHeld ? { kind: "stay", why: "held" } : { kind: "stay", why: "current" },
        step: undefined,
        ended: undefined,
        fault: undefined,
        window: "schedule",
        downgrade: "refuse",
        unhealthySince: undefined,
        rejected: [],
        held: isHeld,
      },
    },
    off: draw() < kind.off ? { at, until } : undefined,
    breaks: draw() < kind.bad ? kind.breaks : fails,
    // The draw is made for liars alone, so that other fleets stay as they were.
    lies: kind.liars !== undefined && draw() < kind.liars ? kind.lie : undefined,
    stepUntil: 0,
    diesAt: isDead ? 0 : Infinity,
    isReached: false,
  };
}

const percent = (of: number) => ({ kind: "percent", percent: of }) as const;
const canary: StageSpec = {
  name: "canary",
  select: { kind: "labels", labels: { env: "canary" } },
  soakSeconds: hourSeconds,
  atOnce: percent(100),
};
const few: StageSpec = { name: "few", select: percent(5), soakSeconds: daySeconds, atOnce: percent(100) };
const rest: StageSpec = { name: "rest", select: { kind: "others" }, soakSeconds: daySeconds, atOnce: percent(20) };

export const recipes = {
  "canary, few and the rest": [canary, few, rest],
  "canary and the rest": [canary, rest],
  "one stage": [rest],
} satisfies Readonly<Record<string, readonly StageSpec[]>>;

export function rolloutOf(stages: readonly StageSpec[]): Spec {
  return {
    channel: "default" as ChannelName,
    target,
    stages,
    halt: { failed: percent(2), silent: percent(2), atLeast: 3 },
    donePercent: 95,
    proveSeconds: 40 * 60,
    silentSeconds: 30 * 60,
  };
}
