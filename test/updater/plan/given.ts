import * as fc from "fast-check";
import type { CriticalDoubt } from "../../../src/rules/channel/doubt.ts";
import type { Heard } from "../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import type { FaultData } from "../../../src/rules/fault/fault.ts";
import { faultTable, type FaultCode } from "../../../src/rules/fault/table.ts";
import type { Backoff, Build, ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import type { Facts, InstalledPackage, HostMemory, Previous, RejectedPackage } from "../../../src/updater/plan/host-facts.ts";
import { noMemory } from "../../../src/updater/plan/host-facts.ts";
import { moveTakes, type Policy } from "../../../src/updater/plan/host-policy.ts";
import type { Version } from "../../../src/rules/version/version.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";
import type { Weekday } from "../../../src/rules/window/weekly.ts";
import type { UnixSeconds } from "../../../src/rules/window/window.ts";
import { packageVersion, version } from "../../rules/version/given.ts";

export type Given = { readonly facts: Facts; readonly policy: Policy };

/** Friday 2026-11-20, 02:10 UTC: ten minutes into the window of the given schedule. */
export const now: UnixSeconds = 1_795_140_600;
export const windowStop: UnixSeconds = now + 3000;
export const nextStart: UnixSeconds = now - 600 + 7 * 86_400;

export const installedVersion: Version = version("15.4.5");
export const servedVersion: Version = version("15.4.6");

export const openSchedule: Schedule = {
  kind: "windows",
  windows: [
    { start: now - 600, stop: windowStop },
    { start: nextStart, stop: nextStart + 3600 },
  ],
};

const defaultFacts: Facts = {
  now,
  clock: { kind: "plausible" },
  installed: present(),
  binary: { kind: "answers", version: installedVersion },
  answer: serves(servedVersion),
  offered: undefined,
  schedule: openSchedule,
  agent: "running",
  memory: noMemory,
};

const defaultPolicy: Policy = {
  asked: { when: "timer", absent: "stop" },
  holds: "respect",
  hold: undefined,
  pin: undefined,
  window: undefined,
  blackouts: [],
  unscheduled: "rescue",
  downgrade: "refuse",
  major: "any",
  moveTakes,
};

/** 15.4.5 is installed and well, 15.4.6 is served, the window is open, and nothing speaks against it. */
export function given(facts: Partial<Facts> = {}, policy: Partial<Policy> = {}): Given {
  return { facts: { ...defaultFacts, ...facts }, policy: { ...defaultPolicy, ...policy } };
}

export function remembering(memory: Partial<HostMemory>): Pick<Facts, "memory"> {
  return { memory: { ...noMemory, ...memory } };
}

export function present(changes: Partial<Extract<InstalledPackage, { kind: "present" }>> = {}): InstalledPackage {
  const installed = { packageVersion: packageVersion("15.4.5-1"), version: installedVersion };
  return { kind: "present", ...installed, condition: "whole", isHeld: false, ...changes };
}

export function serves(served: Version | "none", urgency: "critical" | "usual" = "usual"): ChannelAnswer {
  const isCritical = urgency === "critical";
  return { kind: "served", served: served === "none" ? { kind: "none" } : { kind: "version", version: served }, isCritical };
}

/** As a proxy answers that has not heard from auth for a while. */
export function servesUnconfirmed(served: Version): ChannelAnswer {
  return { kind: "served", served: { kind: "version", version: served }, isCritical: false, isUnconfirmed: true };
}

/** Critical by a word that does not count by itself. */
export function calledCritical(served: Version, doubt: CriticalDoubt): ChannelAnswer {
  return { kind: "served", served: { kind: "version", version: served }, isCritical: false, doubt };
}

export function faultOf(code: FaultCode): FaultData {
  return { code, message: `${code} happened`, hint: "svc-upgrade doctor", causes: [] };
}

export function backoffOf(changes: Partial<Backoff> = {}): Backoff {
  return { served: servedVersion, cause: faultOf("not-offered"), failures: 1, until: now + 600, ...changes };
}

export function rejectionOf(changes: Partial<RejectedPackage> = {}): RejectedPackage {
  const row = { served: servedVersion, packageVersion: packageVersion("15.4.6-1"), at: now - 86_400 };
  return { ...row, why: "the agent did not come up", ...changes };
}

/** What a host at 15.4.5 left behind when it came from 15.4.4. */
export function previousOf(changes: Partial<Previous> = {}): Previous {
  return { version: version("15.4.4"), packageVersion: packageVersion("15.4.4-1"), leftAt: now - 86_400, ...changes };
}

// Few values each, so that what belongs together often meets: the same version served, installed, rejected and backed off from.
const fewVersions: fc.Arbitrary<Version> = fc.constantFrom(
  ...["13.9.9", "15.4.4", "15.4.5", "15.4.6-rc.1", "15.4.6", "15.4.6+build", "16.0.0", "17.0.0", "18.2.0"].map(version),
);
const fewPackageVersions: fc.Arbitrary<PackageVersion> = fc.constantFrom(
  ...["15.4.5-1", "15.4.6-1", "5:15.4.6-1", "2026-1"].map(packageVersion),
);
const around: fc.Arbitrary<UnixSeconds> = fc.oneof(
  fc.integer({ min: -8000, max: 8000 }).map((seconds) => now + seconds),
  fc.integer({ min: -40 * 86_400, max: 40 * 86_400 }).map((seconds) => now + seconds),
);
const span: fc.Arbitrary<{ readonly start: UnixSeconds; readonly stop: UnixSeconds }> = fc
  .tuple(around, fc.integer({ min: 1, max: 20_000 }))
  .map(([start, seconds]) => ({ start, stop: start + seconds }));
const anyFault: fc.Arbitrary<FaultData> = fc.constantFrom(...(Object.keys(faultTable) as FaultCode[])).map(faultOf);

function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

const anyInstalled: fc.Arbitrary<InstalledPackage> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<InstalledPackage>({ kind: "absent" }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("present" as const),
      packageVersion: fewPackageVersions,
      version: fc.option(fewVersions, { nil: undefined, freq: 8 }),
      condition: fc.constantFrom("whole", "whole", "whole", "half-way"),
      isHeld: fc.constantFrom(false, false, false, true),
    }),
  },
);

const anyAnswer: fc.Arbitrary<ChannelAnswer> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fewVersions, fc.constantFrom("usual" as const, "usual" as const, "critical" as const))
      .map(([served, urgency]) => serves(served, urgency)),
  },
  { weight: 1, arbitrary: fewVersions.map((served) => calledCritical(served, { kind: "unnamed" })) },
  { weight: 1, arbitrary: fc.constant(serves("none")) },
  { weight: 1, arbitrary: fewVersions.map(servesUnconfirmed) },
  { weight: 1, arbitrary: anyFault.map((fault): ChannelAnswer => ({ kind: "fault", fault })) },
);

export const anySchedule: fc.Arbitrary<Schedule> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(span, { minLength: 1, maxLength: 4 }).map((windows): Schedule => ({ kind: "windows", windows })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Schedule>(
      { kind: "missing" },
      { kind: "empty" },
      { kind: "invalid", line: 3, text: "oops", why: "expected START STOP in unix seconds, or nop" },
      { kind: "never" },
      { kind: "stale", endedAt: now - 5000 },
    ),
  },
);

const anyBuild: fc.Arbitrary<Build> = fc.record({
  sha256: fc.constantFrom(undefined, "a".repeat(64), "b".repeat(64)),
  bytes: fc.constantFrom(undefined, 1, 2),
});

const anyHeard: fc.Arbitrary<Heard> = fc.record({
  channel: fc.constant("default" as ChannelName),
  versions: fc.array(
    fc.record({
      version: fewVersions,
      since: around,
      until: around,
      came: fc.constantFrom("new" as const, "decided" as const, "back" as const),
      before: maybe(fewVersions),
    }),
    { maxLength: 3 },
  ),
  decision: fc.constant(undefined),
  alternation: fc.constant(undefined),
  disagreedAt: maybe(around),
  agreed: maybe(fc.record({ version: fewVersions, passes: fc.integer({ min: 1, max: 2 }) })),
  askedAs: fc.constant(undefined),
});

const anyMemory: fc.Arbitrary<HostMemory> = fc.record({
  needsOperator: fc.option(fc.record({ at: around, why: fc.constant("the rollback failed") }), { nil: undefined, freq: 6 }),
  rejected: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({
          served: fewVersions,
          packageVersion: fewPackageVersions,
          build: maybe(anyBuild),
          at: around,
          why: fc.constant("it was ill"),
        }),
        { maxLength: 3 },
      ),
    },
  ),
  backoff: maybe(fc.record({ served: fewVersions, cause: anyFault, failures: fc.integer({ min: 1, max: 9 }), until: around })),
  unhealthyPasses: fc.nat({ max: 4 }),
  rescuedFor: maybe(fewVersions),
  moveSeconds: fc.array(fc.nat({ max: 5000 }), { maxLength: 7 }),
  previous: maybe(fc.record({ version: fewVersions, packageVersion: fewPackageVersions, leftAt: around })),
  repairs: maybe(fc.record({ to: fewVersions, attempts: fc.nat({ max: 3 }), isNowhere: fc.boolean() })),
  heard: anyHeard,
});

const anyFacts: fc.Arbitrary<Facts> = fc.record({
  now: around,
  clock: fc.constantFrom(
    { kind: "plausible" as const },
    { kind: "plausible" as const },
    { kind: "redated" as const, why: "it went back, and time synchronisation vouches for it" },
    { kind: "wrong" as const, why: "it is before the day this program was built" },
  ),
  installed: anyInstalled,
  binary: fc.oneof(
    fc.constantFrom(
      { kind: "not-asked" as const },
      { kind: "missing" as const },
      { kind: "broken" as const, why: "exit status 127" },
    ),
    fewVersions.map((spoken) => ({ kind: "answers" as const, version: spoken })),
  ),
  answer: anyAnswer,
  offered: maybe(fc.record({ packageVersion: fewPackageVersions, build: anyBuild })),
  schedule: anySchedule,
  agent: fc.constantFrom("running", "unhealthy", "stopped", "unknown"),
  memory: anyMemory,
});

const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  asked: fc.record({ when: fc.constantFrom("timer", "timer", "now"), absent: fc.constantFrom("stop", "install") }),
  holds: fc.constantFrom("respect", "override"),
  hold: fc.option(fc.record({ until: maybe(around), reason: maybe(fc.constant("a fair")) }), { nil: undefined, freq: 5 }),
  pin: fc.option(fc.record({ version: fewVersions, reason: maybe(fc.constant("an audit")) }), { nil: undefined, freq: 3 }),
  window: maybe(
    fc.record({
      hourly: fc.array(
        fc.record({
          utcStartHour: fc.nat({ max: 23 }),
          weekdays: fc.uniqueArray(fc.constantFrom<Weekday[]>(0, 1, 2, 3, 4, 5, 6)),
        }),
        { maxLength: 2 },
      ),
      spans: fc.array(span, { maxLength: 2 }),
    }),
  ),
  blackouts: fc.array(
    fc.tuple(span, maybe(fc.constant("a freeze"))).map(([{ start, stop }, reason]) => ({ from: start, to: stop, reason })),
    { maxLength: 2 },
  ),
  unscheduled: fc.constantFrom("rescue", "wait", "anytime"),
  downgrade: fc.constantFrom("refuse", "allow"),
  major: fc.constantFrom("any", "one-step"),
  moveTakes: fc.constant(moveTakes),
});

/** A rollback is asked for, and nobody was asked what is served. */
export const anyRollback: fc.Arbitrary<Given> = fc.record({
  facts: anyFacts.map((facts): Facts => ({ ...facts, answer: { kind: "not-asked" } })),
  policy: anyPolicy.map((policy): Policy => ({ ...policy, asked: { when: "back", absent: "stop" } })),
});

/** Any facts under any policy, mostly ones in which several gates would speak. */
export const anyGiven: fc.Arbitrary<Given> = fc.record({ facts: anyFacts, policy: anyPolicy });
