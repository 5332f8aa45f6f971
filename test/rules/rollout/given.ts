import { hash } from "node:crypto";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import type { Evidence, HostEvidence, UpdaterSaid } from "../../../src/rules/rollout/host-evidence.ts";
import { rankOf } from "../../../src/rules/rollout/membership.ts";
import type { Spec, StageSpec } from "../../../src/rules/rollout/spec.ts";
import type { Status } from "../../../src/rules/rollout/status.ts";
import { begin } from "../../../src/rules/rollout/steer.ts";
import { version } from "../version/given.ts";

export const minute = 60;
export const hour = 3600;
export const day = 86_400;
/** A rollout begins. */
export const start = 20_000 * day;

export const from = version("15.4.5");
export const target = version("15.4.6");
export const person = { who: "ann", at: start + hour, why: "to be sure" };

export const canary: StageSpec = {
  name: "canary",
  select: { kind: "labels", labels: { env: "canary" } },
  soakSeconds: hour,
  atOnce: { kind: "percent", percent: 100 },
};
export const few: StageSpec = {
  name: "few",
  select: { kind: "percent", percent: 5 },
  soakSeconds: day,
  atOnce: { kind: "percent", percent: 100 },
};
export const rest: StageSpec = {
  name: "rest",
  select: { kind: "others" },
  soakSeconds: day,
  atOnce: { kind: "percent", percent: 20 },
};

export function specOf(stages: readonly StageSpec[] = [canary, few, rest], changed: Partial<Spec> = {}): Spec {
  return {
    channel: "default" as ChannelName,
    target,
    stages,
    halt: { failed: { kind: "percent", percent: 2 }, silent: { kind: "percent", percent: 2 }, atLeast: 3 },
    donePercent: 95,
    proveSeconds: 40 * minute,
    silentSeconds: 30 * minute,
    ...changed,
  };
}

export const updater: UpdaterSaid = {
  installed: from,
  served: from,
  decision: { kind: "stay", why: "current" },
  step: undefined,
  ended: undefined,
  fault: undefined,
  rejected: [],
  held: false,
  unhealthySince: undefined,
  window: "schedule",
  downgrade: "",
};

export function hostOf(id: string, changed: Partial<HostEvidence> = {}): HostEvidence {
  const rank = rankOf(id, target, (text) => hash("sha256", text));
  return { id, rank, labels: {}, reported: start, goodbye: false, isShared: false, updater, ...changed };
}

export function hostsOf(count: number, changed: Partial<HostEvidence> = {}): readonly HostEvidence[] {
  return Array.from({ length: count }, (_, index) => hostOf(`host${index}`, changed));
}

export function seen(hosts: readonly HostEvidence[], now: number = start): Evidence {
  return { hosts, now, secondsSince: (at) => now - at, twoWindowsAgo: undefined };
}

export function begun(spec: Spec, evidence: Evidence): Status {
  return begin(spec, { evidence, from: { kind: "version", version: from }, before: undefined });
}

/** What a host reports that has moved and is well, or that went back. */
export function moved(host: HostEvidence, at: number): HostEvidence {
  const ended = { kind: "moved", version: target, fault: undefined, said: at, at };
  return { ...host, reported: at + 40 * minute, updater: { ...updater, installed: target, ended } };
}
export function undone(host: HostEvidence, at: number): HostEvidence {
  const ended = { kind: "undone", version: target, fault: "unhealthy", said: at, at };
  return { ...host, reported: at, updater: { ...updater, ended, fault: ended.fault, rejected: [target] } };
}
