import type { Log, LogFields, LogLevel } from "../../src/host/log.ts";
import type { PassPorts } from "../../src/pass/pass.ts";
import type { PackageManager } from "../../src/package/manager.ts";
import { mergeSettings } from "../../src/settings/merge.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { emptyState, type State } from "../../src/record/state.ts";
import type { ChannelAnswer, InstalledPackage } from "../../src/plan/facts.ts";
import { parseVersion, type Version } from "../../src/version/version.ts";
import { parsePackageVersion, wrappedVersion, type PackageVersion } from "../../src/version/wrapped.ts";
import type { Schedule } from "../../src/window/schedule.ts";

export const now = 1_800_000_000;

export function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`not a version: ${text}`);
  return parsed;
}

export function packageVersion(text: string): PackageVersion {
  const parsed = parsePackageVersion(text);
  if (parsed === undefined) throw new Error(`not a package version: ${text}`);
  return parsed;
}

export function settings(values: object = {}): Settings {
  const merged = mergeSettings([{ origin: { kind: "file", path: "test" }, values }]);
  if (merged.kind === "faults") throw new Error(JSON.stringify(merged.faults));
  return merged.settings;
}

export function installed(text: string, more: Partial<Extract<InstalledPackage, { kind: "present" }>> = {}): InstalledPackage {
  const found = packageVersion(text);
  return { kind: "present", packageVersion: found, version: wrappedVersion(found), condition: "whole", isHeld: false, ...more };
}

export function serves(text: string, isCritical: boolean = false): ChannelAnswer {
  return { kind: "served", served: { kind: "version", version: version(text) }, isCritical };
}

export const openSchedule: Schedule = { kind: "windows", windows: [{ start: now - 60, stop: now + 3540 }] };
export const closedSchedule: Schedule = { kind: "windows", windows: [{ start: now + 7200, stop: now + 10_800 }] };

export type Line = { readonly level: LogLevel; readonly sentence: string; readonly fields: LogFields };

/** A host in memory behind the ports of a pass: a package database that installs what it offers, and an agent that follows it. */
export type FakeHost = {
  readonly ports: PassPorts;
  readonly lines: readonly Line[];
  readonly saved: readonly State[];
  readonly did: readonly string[];
};

export type FakeOptions = {
  readonly installed?: InstalledPackage;
  readonly offers?: readonly string[];
  readonly answer?: ChannelAnswer;
  readonly schedule?: Schedule;
  readonly stopping?: AbortSignal;
  /** What the clock says; it stands still. */
  readonly at?: number;
  /** How long each thing the host does takes, by the clock that nobody can set. */
  readonly takes?: (deed: string) => number;
  /** Called before each thing the host does; may throw in its place. */
  readonly before?: (deed: string) => void;
  /** What the binary says after the installation, where it is not what its package says. */
  readonly binarySays?: string;
};

export function fakeHost(options: FakeOptions = {}): FakeHost {
  let present = options.installed ?? installed("15.4.5");
  let seconds = 100;
  const lines: Line[] = [];
  const saved: State[] = [];
  const did: string[] = [];
  async function act<T>(deed: string, result: T): Promise<T> {
    seconds += options.takes?.(deed) ?? 0;
    options.before?.(deed);
    did.push(deed);
    return result;
  }
  const manager: PackageManager = {
    name: "apt",
    inspect: async () => present,
    refresh: () => act("refresh", undefined),
    offers: () => act("offers", (options.offers ?? ["15.4.6", "15.4.5"]).map(packageVersion)),
    simulate: ({ to }) => act(`simulate ${to}`, undefined),
    async install({ to, direction }) {
      await act(`install ${to} ${direction}`, undefined);
      seconds += 3;
      present = installed(to);
    },
  };
  const log: Log = (level, sentence, fields = {}) => lines.push({ level, sentence, fields });
  const ports: PassPorts = {
    builtAt: 0,
    readClock: () => ({ now: options.at ?? now, sinceBootSeconds: seconds, bootId: "boot", isSynchronised: true }),
    readSchedule: async () => options.schedule ?? openSchedule,
    findManager: async () => ({ manager, installed: present }),
    async askBinary() {
      const text = options.binarySays ?? (present.kind === "present" ? present.version : undefined);
      return text === undefined ? { kind: "missing" } : { kind: "answers", version: version(text) };
    },
    watchAgent: async () => "running",
    askChannel: async () => options.answer ?? serves("15.4.6"),
    passId: "pass-1",
    log,
    countRestarts: async () => ({ bootId: "boot", restarts: 0 }),
    showSteps: () => undefined,
    saveState: (state) => saved.push(state),
    watchUnit: async () => () => act("activate", "svc.service was restarted and runs it"),
    stopping: options.stopping ?? new AbortController().signal,
  };
  return { ports, lines, saved, did };
}

export function stateWith(values: Partial<State>): State {
  return { ...emptyState, ...values };
}
