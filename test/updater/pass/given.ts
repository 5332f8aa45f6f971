import type { Fault } from "../../../src/rules/fault/fault.ts";
import type { Log, LogFields, LogLevel } from "../../../src/machine/logging/log.ts";
import { changeTo } from "../../../src/updater/pass/change.ts";
import type { PassPorts } from "../../../src/updater/pass/pass.ts";
import type { PackageManager } from "../../../src/updater/package/manager/manager.ts";
import type { WantedFile } from "../../../src/updater/pass/ports.ts";
import type { Companion } from "../../../src/updater/record/ledger.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";
import type { Hold, Pin } from "../../../src/rules/decide/gate-policy.ts";
import type { Settings } from "../../../src/rules/settings/settings.ts";
import { emptyHistory, type History } from "../../../src/updater/record/history.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import type { ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import type { AgentCondition, InstalledPackage } from "../../../src/updater/plan/host-facts.ts";
import { parseVersion, type Version } from "../../../src/rules/version/version.ts";
import { parsePackageVersion, wrappedVersion, type PackageVersion } from "../../../src/rules/version/wrapped.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";

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
  /** The history after each change of it. */
  readonly histories: readonly History[];
  /** After how many records the pass said that it had come to its end. */
  readonly settled: readonly number[];
  readonly did: readonly string[];
  /** The package files that lie in the directory of kept packages. */
  readonly files: ReadonlySet<string>;
  /** What was to be kept, in that order. */
  readonly kept: readonly WantedFile[];
  /** What is installed of what moves along. */
  readonly others: Readonly<Record<string, InstalledPackage>>;
  readonly present: () => InstalledPackage;
};

export type FakeOptions = {
  readonly installed?: InstalledPackage;
  /** What was moved before. */
  readonly history?: History;
  readonly offers?: readonly string[];
  readonly answer?: ChannelAnswer;
  readonly schedule?: Schedule;
  readonly stopping?: AbortSignal;
  /** What the clock says; it stands still. */
  readonly at?: number;
  /** How long each thing the host does takes, by the clock that nobody can set. */
  readonly takes?: (deed: string) => number;
  /** What it throws in place of a deed, and how often: once, where it is not said. */
  readonly fails?: readonly (readonly [deed: string, thrown: Error, times?: number])[];
  /** Called before each thing the host does; may throw in its place. */
  readonly before?: (deed: string) => void;
  /** What the binary says after the installation, where it is not what its package says. */
  readonly binarySays?: string;
  /** How the agent is before anything is changed, and again once the version before is back. */
  readonly agent?: AgentCondition;
  /** The hold as it is once the pass has prepared. */
  readonly holdMeanwhile?: Hold;
  readonly pinMeanwhile?: Pin | undefined;
  /** Files in the directory of kept packages, by the version of the package. */
  readonly files?: readonly string[];
  /** What moves along with the package, numbered like it; and what is installed of that. */
  readonly companions?: readonly Companion[];
  readonly others?: Readonly<Record<string, InstalledPackage>>;
  /** What of that an installation does not take along, though it says that it ended well. */
  readonly leavesBehind?: (deed: string) => readonly string[];
  /** Whether the host is on its way down at that moment. */
  readonly isGoingDown?: () => boolean;
  /** What stays of the package when the manager breaks off in the middle of this installation. */
  readonly breaksAt?: {
    readonly deed: string;
    readonly leaves: InstalledPackage;
    readonly fault: Fault;
    readonly others?: Readonly<Record<string, InstalledPackage>>;
  };
};

export function fakeHost(options: FakeOptions = {}): FakeHost {
  let present = options.installed ?? installed("15.4.5");
  let seconds = 100;
  const lines: Line[] = [];
  const saved: State[] = [];
  let history: History = options.history ?? emptyHistory;
  const histories: History[] = [];
  const settled: number[] = [];
  const did: string[] = [];
  const kept: WantedFile[] = [];
  const companions = options.companions ?? [];
  const others: Record<string, InstalledPackage> = { ...options.others };
  const files = new Set(options.files ?? []);
  const due = (options.fails ?? []).map(([deed, thrown, times = 1]) => ({ deed, thrown, times }));
  async function act<T>(deed: string, result: T): Promise<T> {
    seconds += options.takes?.(deed) ?? 0;
    options.before?.(deed);
    const failing = due.find((one) => one.deed === deed && one.times > 0);
    if (failing !== undefined) {
      failing.times -= 1;
      throw failing.thrown;
    }
    did.push(deed);
    return result;
  }
  const manager: PackageManager = {
    name: "apt",
    inspect: async () => present,
    inspectAll: async (names) => names.map((name) => others[name] ?? { kind: "absent" }),
    offers: () => act("offers", (options.offers ?? ["15.4.6", "15.4.5"]).map(packageVersion)),
    buildOf: () => act("build", { sha256: undefined, bytes: undefined }),
    sources: async () => [{ file: "/etc/apt/sources.list.d/agent.list", url: "http://fleet:secret@10.0.0.8/debian" }],
    refresh: isActing,
    simulate: isActing,
    bring: isActing,
    fetch: isActing,
    install: isActing,
    installFiles: isActing,
    objectionToBack: isActing,
    holdAgain: isActing,
    mend: isActing,
  };
  async function change(deed: string, to: string): Promise<void> {
    if (options.breaksAt?.deed === deed) {
      present = options.breaksAt.leaves;
      Object.assign(others, options.breaksAt.others);
      did.push(deed);
      throw options.breaksAt.fault;
    }
    await act(deed, undefined);
    seconds += 3;
    present = installed(to);
    const behind = options.leavesBehind?.(deed) ?? [];
    for (const { name, from, to: goesTo } of companions) {
      if (behind.includes(name)) continue;
      const there = others[name];
      const isLeftHalfWay = from === undefined && there?.kind === "present" && there.condition === "half-way";
      // What was added stays at a rollback, and is put in order.
      if (to === goesTo || to === from) others[name] = installed(to);
      else if (isLeftHalfWay) others[name] = installed(goesTo);
    }
  }
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
    watchAgent: async () => options.agent ?? "running",
    askChannel: async () => options.answer ?? serves("15.4.6"),
    passId: "pass-1",
    log,
    countRestarts: async () => ({ bootId: "boot", restarts: 0 }),
    showSteps: () => undefined,
    notifier: undefined,
    saveState: (state) => saved.push(state),
    async changeHistory(add) {
      history = add(history);
      histories.push(history);
    },
    acting: {
      refresh: () => act("refresh", undefined),
      simulate: (to) => act(`simulate ${to}`, undefined),
      bring: (to) => act(`bring ${to}`, undefined),
      keep: async (one) => {
        const { version: wanted } = one;
        kept.push(one);
        // What lies there already is not fetched again.
        if (!files.has(wanted)) await act(`fetch ${wanted}`, undefined);
        files.add(wanted);
        return { packageVersion: wanted, file: wanted, sha256: `sum of ${wanted}`, bytes: 1 };
      },
      keepOnly: async (versions) => {
        for (const file of files) if (!versions.includes(packageVersion(file))) files.delete(file);
      },
      install: async ({ to, from }) => {
        const { direction } = changeTo(to, present, { settings: settings(), beside: [] });
        if (from === "offered") return change(`install ${to} ${direction}`, to);
        if (from !== "kept" || !files.has(to)) throw new Error(`there is no ${to}`);
        return change(`install ${to} ${direction} from its file`, to);
      },
      holdAgain: () => act("hold again", undefined),
      mend: () => act("mend", undefined),
      settle: async () => void settled.push(saved.length),
      awaitTransaction: (how) => act(`await ${how}`, undefined),
      watchUnit: async (begun) => ({
        before: begun?.before ?? options.agent ?? "running",
        activate: () => act("activate", "svc.service was restarted and runs it"),
        proveHealth: () => act("health", undefined),
        lastLines: async () => ["panic: no such option"],
      }),
    },
    isUnsettled: () => false,
    movedAlong: () => companions,
    whyNotKept: () => undefined,
    checkKept: ({ file }) => (files.has(file) ? { kind: "whole" } : { kind: "unusable", why: "it is not there" }),
    isGoingDown: async () => options.isGoingDown?.() ?? false,
    readOrders: async () => ({ hold: options.holdMeanwhile, pin: options.pinMeanwhile }),
    stopping: options.stopping ?? new AbortController().signal,
  };
  return { ports, lines, saved, histories, settled, did, files, kept, others, present: () => present };
}

/** A pass looks by the manager, and acts by its port alone. */
function isActing(): Promise<never> {
  throw new Error("the pass acted past its port");
}

export function stateWith(values: Partial<State>): State {
  return { ...emptyState, ...values };
}
