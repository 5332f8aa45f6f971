import fc from "fast-check";
import { nothingHeard } from "../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { describe, expect, test } from "vitest";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import type { Move, Stay } from "../../../src/updater/plan/host-decision.ts";
import type { Facts, RejectedPackage } from "../../../src/updater/plan/host-facts.ts";
import {
  forgetFailures,
  forgetRejection,
  memoryOf,
  rememberBreakdown,
  rememberPass,
  versionsHeard,
  rememberUnreadable,
} from "../../../src/updater/record/remember.ts";
import type { FinishedPass } from "../../../src/updater/record/finished-pass.ts";
import { emptyState, type Outcome, type State } from "../../../src/updater/record/state.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import type { Version } from "../../../src/rules/version/version.ts";
import { digestOf, servedBefore } from "../../rules/channel/given.ts";
import { state as anyState } from "./arbitrary.ts";
import {
  backFailed,
  current,
  cutOff,
  damaged,
  failed,
  fault,
  moved,
  notTried,
  now,
  old,
  other,
  outside,
  packaged,
  pass,
  present,
  previous,
  repair,
  rescue,
  served,
  stayed,
  stoppedBusy,
  stuck,
  undone,
  upgrade,
} from "./given.ts";

const backoff = { served, cause: fault("not-offered"), failures: 1, until: now + 600 };
const rejection = { served, packageVersion: packaged, at: 1, why: "w" };
const need = { at: 1, why: "w" };
const rejectedFor = (code: FaultCode): RejectedPackage => ({ served, packageVersion: packaged, at: now, why: `it was ${code}` });
const unanswered: Partial<Facts> = { answer: { kind: "fault", fault: fault("channel-unreachable") } };

describe("the memory of earlier passes", () => {
  test.each([
    ["unhealthy", undefined, 1],
    ["unhealthy", 1, 2],
    ["running", 3, 0],
    ["unknown", 3, 0],
  ] as const)("counts a look at a %s agent after %o unhealthy ones as %i", (agent, before, counted) => {
    const state =
      before === undefined ? emptyState : { ...emptyState, agent: { bootId: "b", restarts: 0, unhealthyPasses: before } };
    expect(memoryOf(state, agent).unhealthyPasses).toBe(counted);
  });
});

describe("a pass that is remembered", () => {
  test("comes first of at most ten, and leaves no step in hand where it came to its end", () => {
    const before: State = {
      ...emptyState,
      passes: Array.from({ length: 10 }, (_, index) => ({ ...pass(current, stayed).record, id: `old${index}` })),
      step: cutOff("install"),
    };
    const ended = rememberPass(before, pass(current, stayed));
    const brokenOff = rememberBreakdown(before, pass(current, stayed).record);
    for (const after of [ended, brokenOff]) {
      expect(after.passes.map(({ id }) => id)).toEqual(["p", ...before.passes.slice(0, 9).map(({ id }) => id)]);
    }
    expect([ended.step, brokenOff.step]).toEqual([undefined, before.step]);
  });

  test.each([
    [{ bootId: "b", restarts: 2 }, undefined, { bootId: "b", restarts: 2, unhealthyPasses: 1 }],
    [undefined, undefined, undefined],
    [undefined, { bootId: "a", restarts: 7, unhealthyPasses: 0 }, { bootId: "a", restarts: 7, unhealthyPasses: 1 }],
  ])("keeps how the unit looked: now %o, before %o", (unit, before, after) => {
    const looked = { ...pass(outside, stayed, { agent: "unhealthy" }), unit };
    expect(rememberPass({ ...emptyState, agent: before }, looked).agent).toEqual(after);
  });
});

describe("the contact", () => {
  test("is noted, and ends a silence", () => {
    const after = rememberPass({ ...emptyState, silentSince: 5 }, pass(current, stayed));
    expect(after).toMatchObject({ lastContact: { at: now, served, isCritical: false }, silentSince: undefined });
  });

  test("that fails begins a silence, which goes on from its first pass", () => {
    const stop = pass(
      { kind: "stop", fault: fault("channel-unreachable") },
      { kind: "stopped", fault: fault("channel-unreachable") },
      unanswered,
    );
    expect(rememberPass(emptyState, stop).silentSince).toBe(now);
    expect(rememberPass({ ...emptyState, silentSince: 5 }, stop).silentSince).toBe(5);
  });

  test("that fails under a wrong clock dates no silence", () => {
    const wrong: Partial<Facts> = { ...unanswered, clock: { kind: "wrong", why: "w" } };
    expect(rememberPass(emptyState, pass(outside, stayed, wrong)).silentSince).toBeUndefined();
  });
});

describe("the configuration of the channels", () => {
  const under: Partial<Facts> = {
    answer: { kind: "served", served: { kind: "none" }, isCritical: false, channels: digestOf("a") },
  };
  const before = [{ digest: digestOf("b"), since: 1, until: 2 }];

  test("is noted with the time of the answer", () => {
    const { channels } = rememberPass({ ...emptyState, channels: before }, pass(current, stayed, under));
    expect(channels).toEqual([{ digest: digestOf("a"), since: now, until: now }, ...before]);
  });

  test.each<[string, Partial<Facts>]>([
    ["the answer does not say it", {}],
    ["there is no answer", unanswered],
    ["the clock is wrong", { ...under, clock: { kind: "wrong", why: "w" } }],
  ])("stays as it is remembered where %s", (_title, facts) => {
    expect(rememberPass({ ...emptyState, channels: before }, pass(current, stayed, facts)).channels).toEqual(before);
  });
});

describe("what the channel was heard to serve", () => {
  const before = servedBefore(now, ["15.4.6", "15.4.5"]);
  const state: State = { ...emptyState, heard: before };
  const facts = pass(current, stayed).facts;

  test("is known with the time of this answer, and is what a pass leaves", () => {
    const heard = versionsHeard(state, facts, "default" as ChannelName);
    expect(heard.alternation).toEqual({ at: now, between: ["15.4.6", "15.4.5"] });
    const memory = { ...memoryOf(state, "running"), heard };
    expect(rememberPass(state, pass(current, stayed, { memory })).heard).toEqual(heard);
  });

  test.each<[string, Partial<Facts>]>([
    ["there is no answer", unanswered],
    ["the clock is wrong", { clock: { kind: "wrong", why: "w" } }],
  ])("stays as it is remembered where %s", (_title, changes) => {
    expect(versionsHeard(state, { ...facts, ...changes }, "default" as ChannelName)).toEqual(before);
  });

  test("counts a word on critical that agrees with itself, whatever the clock", () => {
    const answer = { ...facts.answer, doubt: { kind: "unnamed" } } as Facts["answer"];
    const wrong = { ...facts, answer, clock: { kind: "wrong", why: "w" } } as const;
    expect(versionsHeard(state, wrong, "default" as ChannelName)).toEqual({ ...before, agreed: { version: served, passes: 1 } });
  });

  test("says with the contact whether the version counts as critical, and else why not", () => {
    const answer = { ...facts.answer, doubt: { kind: "unnamed" } } as Facts["answer"];
    const hearing = (passes: number): Facts => ({
      ...facts,
      answer,
      memory: { ...facts.memory, heard: { ...nothingHeard, agreed: { version: served, passes } } },
    });
    const contact = { at: now, served };
    expect(rememberPass(emptyState, pass(current, stayed, hearing(1))).lastContact).toEqual({
      ...contact,
      isCritical: false,
      doubt: { kind: "unnamed" },
    });
    expect(rememberPass(emptyState, pass(current, stayed, hearing(2))).lastContact).toEqual({ ...contact, isCritical: true });
  });
});

describe("the clock", () => {
  const reading = { now, sinceBootSeconds: 50, bootId: "b" };
  const doubted = { now: 1, sinceBootSeconds: 1, bootId: "b" };

  test("is recorded when it is plausible, and a doubt is over", () => {
    expect(rememberPass({ ...emptyState, doubtedClock: doubted }, pass(current, stayed))).toMatchObject({
      clock: reading,
      doubtedClock: undefined,
    });
  });

  test("is kept as a doubt when it is wrong", () => {
    const before = { ...emptyState, clock: doubted };
    const after = rememberPass(before, pass(current, stayed, { clock: { kind: "wrong", why: "w" } }));
    expect(after).toMatchObject({ clock: doubted, doubtedClock: reading });
  });

  test.each([
    [undefined, undefined],
    [now + 9_999_999, now],
    [5, 5],
  ])("takes what lies in its future with it when it is re-dated: silent since %o", (before, after) => {
    const state: State = {
      ...emptyState,
      backoff: { ...backoff, until: now + 9_999_999 },
      silentSince: before,
      doubtedClock: doubted,
    };
    const redated = rememberPass(state, pass(outside, stayed, { ...unanswered, clock: { kind: "redated", why: "w" } }));
    expect(redated).toMatchObject({ clock: reading, doubtedClock: undefined, backoff: undefined, silentSince: after ?? now });
  });
});

describe("another served version", () => {
  const about = (version: Version): State => ({
    ...emptyState,
    rejected: [{ ...rejection, served: version }],
    backoff: { ...backoff, served: version },
    rescuedFor: version,
    cutOffs: { to: version, attempts: 1 },
  });

  const memory = ({ backoff: waiting, rescuedFor, cutOffs }: State): Partial<State> => ({
    backoff: waiting,
    rescuedFor,
    cutOffs,
  });

  test.each([
    ["the served version", served],
    ["the installed version, at which a repair aims", old],
  ])("leaves what is about %s", (_, version) => {
    expect(rememberPass(about(version), pass(outside, stayed))).toMatchObject(memory(about(version)));
  });

  test("takes what kept the host from any other with it", () => {
    const after = rememberPass(about(other), pass(outside, stayed));
    expect(after).toMatchObject({ backoff: undefined, rescuedFor: undefined, cutOffs: undefined });
  });

  test("takes nothing with it where it may be outdated, and that is remembered", () => {
    const answer = {
      kind: "served",
      served: { kind: "version", version: served },
      isCritical: false,
      isUnconfirmed: true,
    } as const;
    const after = rememberPass(about(other), pass(outside, stayed, { answer }));
    expect(after).toMatchObject({ ...memory(about(other)), lastContact: { served, isUnconfirmed: true } });
  });

  test.each([served, old, other, "15.4.7" as Version])("leaves it known that %s failed here", (version) => {
    const { rejected } = about(version);
    expect(rememberPass(about(version), pass(outside, stayed)).rejected).toEqual(rejected);
    expect(rememberPass(about(version), pass(current, stayed, { agent: "stopped" })).rejected).toEqual(rejected);
  });
});

describe("a pin", () => {
  const pinned: Stay = { kind: "stay", why: "pinned", told: "t" };
  const under = (text: string, finished: FinishedPass): FinishedPass => ({
    ...finished,
    record: { ...finished.record, pin: text as Version },
  });
  const about = (version: Version): State => ({
    ...emptyState,
    backoff: { ...backoff, served: version },
    rescuedFor: version,
    cutOffs: { to: version, attempts: 1 },
  });
  const failedBefore: State = {
    ...emptyState,
    needsOperator: need,
    rejected: [{ ...rejection, served: other, packageVersion: "15.4.4-1" as PackageVersion }],
  };

  test("leaves what is about the pinned version, which the channel does not serve", () => {
    const state = about("15.4.7" as Version);
    const { backoff: waiting, rescuedFor, cutOffs } = state;
    expect(rememberPass(state, under("15.4.7", pass(outside, stayed)))).toMatchObject({ backoff: waiting, rescuedFor, cutOffs });
    expect(rememberPass(state, pass(outside, stayed))).toMatchObject({
      backoff: undefined,
      rescuedFor: undefined,
      cutOffs: undefined,
    });
  });

  test("that is reached takes with it what was about it, and leaves what is about the served version", () => {
    expect(rememberPass(about(old), under(old, pass(pinned, stayed)))).toMatchObject({ backoff: undefined, cutOffs: undefined });
    const { backoff: waiting, cutOffs } = about(served);
    expect(rememberPass(about(served), under(old, pass(pinned, stayed)))).toMatchObject({ backoff: waiting, cutOffs });
  });

  test("that is reached proves nothing of what is served", () => {
    const after = rememberPass(failedBefore, under(old, pass(pinned, stayed)));
    expect(after).toMatchObject({ rejected: failedBefore.rejected, needsOperator: need });
    const silent = rememberPass(failedBefore, under(old, pass(pinned, stayed, unanswered)));
    expect(silent).toMatchObject({ rejected: failedBefore.rejected, needsOperator: need, silentSince: now });
  });

  test("that is moved to ends no rejection, unless it is served", () => {
    const to = "15.4.7" as Version;
    const move: Move = { ...upgrade, target: { kind: "upgrade", from: old, to } };
    expect(rememberPass(failedBefore, under(to, pass(move, moved))).rejected).toEqual(failedBefore.rejected);
    expect(rememberPass(failedBefore, under(to, pass(move, moved, unanswered))).rejected).toEqual(failedBefore.rejected);
    expect(rememberPass(failedBefore, under(served, pass(upgrade, moved))).rejected).toEqual([]);
  });
});

describe("a rejection", () => {
  const failedHere = (version: string): RejectedPackage => ({
    ...rejection,
    served: version as Version,
    packageVersion: `${version}-1` as PackageVersion,
  });
  const state: State = { ...emptyState, rejected: ["15.4.4", "15.4.5", "15.4.6", "15.4.7"].map(failedHere) };
  const left = (facts: Partial<Facts>): readonly string[] =>
    rememberPass(state, pass(current, stayed, facts)).rejected.map((row) => row.served);

  test("ends once a newer version is served and does well here", () => {
    expect(left({ installed: present("15.4.8" as Version) })).toEqual([]);
    expect(left({ installed: present("15.4.6-rc.1" as Version) })).toEqual(["15.4.6", "15.4.7"]);
  });

  test.each(["unhealthy", "stopped", "unknown"] as const)("does not end while the agent at the newer one is %s", (agent) => {
    expect(left({ installed: present("15.4.8" as Version), agent })).toHaveLength(4);
  });

  test("does not end because a version that failed here runs at that moment", () => {
    expect(left({ installed: present(served) })).toHaveLength(4);
  });

  test("ends with a move to a newer version, where the agent ran before and after it", () => {
    const after = rememberPass(state, { ...pass(upgrade, moved), agentBefore: "running" });
    expect(after.rejected.map((row) => row.served)).toEqual(["15.4.6", "15.4.7"]);
  });

  test.each(["unhealthy", "stopped", "unknown"] as const)("does not end with a move of an agent that was %s", (agentBefore) => {
    expect(rememberPass(state, { ...pass(upgrade, moved), agentBefore }).rejected).toHaveLength(4);
  });

  test("does not end with a rollback that was asked for", () => {
    const back: Move = {
      ...upgrade,
      why: "rollback",
      target: { kind: "downgrade", from: "15.4.9" as Version, to: "15.4.8" as Version },
    };
    const after = rememberPass(state, {
      ...pass(back, moved, { installed: present("15.4.9" as Version) }),
      agentBefore: "running",
    });
    expect(after.rejected).toHaveLength(5);
  });

  test("names the very file that failed, where it was kept", () => {
    const build = { sha256: "a".repeat(64), bytes: 12 };
    const after = rememberPass(emptyState, { ...pass(upgrade, undone("unhealthy", "health")), build });
    expect(after.rejected).toEqual([{ ...rejectedFor("unhealthy"), build }]);
  });

  test("of what an administrator went back from names its file as well", () => {
    const kept = [{ packageVersion: packaged, file: "f", sha256: "b".repeat(64), bytes: 7 }];
    const back: Move = { ...upgrade, why: "rollback", target: { kind: "downgrade", from: served, to: other } };
    const after = rememberPass({ ...emptyState, kept }, pass(back, moved, { installed: present(served) }));
    expect(after.rejected).toMatchObject([{ packageVersion: packaged, build: { sha256: "b".repeat(64), bytes: 7 } }]);
  });
});

describe("being current", () => {
  const troubled: State = { ...emptyState, needsOperator: need, backoff, cutOffs: { to: served, attempts: 1 } };

  test.each([
    ["running", undefined],
    ["unhealthy", need],
    ["stopped", need],
    ["unknown", need],
  ] as const)("with a %s agent leaves the call for an administrator as %o", (agent, after) => {
    expect(rememberPass(troubled, pass(current, stayed, { agent }))).toMatchObject({
      needsOperator: after,
      backoff: undefined,
      cutOffs: undefined,
    });
  });
});

describe("a move", () => {
  test("that succeeds ends the waiting and adds its duration, the newest of five", () => {
    const before = { ...emptyState, backoff, moveSeconds: [1, 2, 3, 4, 5] };
    expect(rememberPass(before, pass(upgrade, moved))).toMatchObject({
      backoff: undefined,
      moveSeconds: [30, 1, 2, 3, 4],
      rescuedFor: undefined,
    });
  });

  test.each([
    ["fails", failed("not-offered", "offer"), served],
    ["is undone", undone("verify-failed", "verify"), served],
    ["was asked to stop", failed("stopping", "refresh"), undefined],
    ["came too late to begin", failed("overtaken", "keep"), undefined],
    ["was never tried", stayed, undefined],
    ["ended before it was tried", stoppedBusy, undefined],
  ])("to the rescue that %s marks the version as %o", (_, outcome, rescuedFor) => {
    expect(rememberPass(emptyState, pass(rescue, outcome)).rescuedFor).toBe(rescuedFor);
  });

  test.each([
    "refresh-failed",
    "not-offered",
    "not-kept",
    "no-space",
    "manager-busy",
    "download-failed",
    "plan-refused",
    "bug",
  ] as const)("that fails by %s waits, longer each time, and rejects nothing", (code) => {
    const first = rememberPass(emptyState, pass(upgrade, failed(code, "simulate")));
    expect(first).toMatchObject({ backoff: { served, cause: { code }, failures: 1, until: now + 600 }, rejected: [] });
    expect(rememberPass(first, pass(upgrade, failed(code, "simulate"))).backoff).toMatchObject({
      failures: 2,
      until: now + 1200,
    });
  });

  test("that the package manager refused to install, and put back, rejects the package version, once", () => {
    const first = rememberPass({ ...emptyState, backoff }, pass(upgrade, failed("install-failed")));
    expect(first).toMatchObject({ rejected: [rejectedFor("install-failed")], backoff: undefined, needsOperator: undefined });
    expect(rememberPass(first, pass(upgrade, failed("install-failed"))).rejected).toEqual([rejectedFor("install-failed")]);
  });

  test("keeps other package versions that were rejected, the newest first, up to ten", () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      ...rejection,
      packageVersion: `15.4.6-${index + 2}` as PackageVersion,
    }));
    const after = rememberPass({ ...emptyState, rejected: many }, pass(upgrade, failed("install-failed")));
    expect(after.rejected.map((row) => row.packageVersion)).toEqual([
      packaged,
      ...many.slice(0, 9).map((row) => row.packageVersion),
    ]);
  });

  test("that fails before its package is known blames nothing", () => {
    const after = rememberPass(emptyState, { ...pass(upgrade, failed("install-failed")), installing: undefined });
    expect(after).toMatchObject({ rejected: [], backoff: { failures: 1 } });
  });

  test.each(["stopping", "overtaken"] as const)("that ends by %s before anything changed counts for nothing", (code) => {
    const after = rememberPass(emptyState, pass(upgrade, failed(code, "keep")));
    expect(after).toMatchObject({ rejected: [], backoff: undefined, repair: undefined });
  });
});

const troubles: State = { ...emptyState, backoff, moveSeconds: [9], previous };

describe("a move that was undone", () => {
  test("blames nothing if it was a rollback: the version before has run here", () => {
    const back: Move = { ...upgrade, why: "rollback" };
    expect(rememberPass(emptyState, pass(back, undone("unhealthy", "health"))).rejected).toEqual([]);
  });

  test.each([
    ["install-failed", "install"],
    ["activate-failed", "activate"],
    ["unhealthy", "health"],
  ] as const)("for %s rejects the package version, and is no move", (code, step) => {
    const after = rememberPass(troubles, pass(upgrade, undone(code, step)));
    expect(after).toMatchObject({
      rejected: [rejectedFor(code)],
      backoff: undefined,
      needsOperator: undefined,
      previous,
      moveSeconds: [9],
      repair: undefined,
    });
  });

  test.each([
    ["no-space", "install", "running"],
    ["unhealthy", "health", "unknown"],
  ] as const)("for %s at the step %s, where the agent was %s before, only waits", (code, step, agent) => {
    const after = rememberPass(troubles, pass(upgrade, undone(code, step), { agent }));
    expect(after).toMatchObject({ rejected: [], backoff: { cause: { code }, failures: 2 }, needsOperator: undefined, previous });
  });
});

describe("a move that failed and was not undone", () => {
  test("because the rollback failed too rejects the version and asks for an administrator, with both reasons", () => {
    const why =
      "on the way to 15.4.6 the step health failed: it was unhealthy; the rollback failed at the step back-install: it was no-space";
    const after = rememberPass(troubles, pass(upgrade, stuck("unhealthy", "health", backFailed)));
    expect(after).toMatchObject({ rejected: [rejectedFor("unhealthy")], backoff: undefined, needsOperator: { at: now, why } });
  });

  test("because nothing was at hand rejects the version, and leaves the cure to the next one", () => {
    const after = rememberPass(troubles, pass(upgrade, stuck("unhealthy", "health", notTried)));
    expect(after).toMatchObject({ rejected: [rejectedFor("unhealthy")], backoff: undefined, needsOperator: undefined });
  });

  test("where the agent had been ill before blames nothing and calls nobody", () => {
    const after = rememberPass(emptyState, pass(upgrade, stuck("unhealthy", "health"), { agent: "unhealthy" }));
    expect(after).toMatchObject({ rejected: [], needsOperator: undefined, backoff: { cause: { code: "unhealthy" } } });
  });

  test("for a full disk does not reject the version, and asks for an administrator where the rollback failed too", () => {
    const tried = rememberPass(emptyState, pass(upgrade, stuck("no-space", "install", backFailed)));
    expect(tried).toMatchObject({ rejected: [], backoff: { failures: 1 }, needsOperator: { at: now } });
    const untried = rememberPass(emptyState, pass(upgrade, stuck("no-space", "install")));
    expect(untried).toMatchObject({ rejected: [], backoff: { failures: 1 }, needsOperator: undefined });
  });

  test("for a file system that takes no writes calls nobody, where the rollback found it so as well", () => {
    const readOnly = { kind: "failed", step: "back-install", fault: fault("read-only") } as const;
    const both = rememberPass(emptyState, pass(upgrade, stuck("read-only", "install", readOnly)));
    expect(both).toMatchObject({ rejected: [], backoff: { failures: 1 }, needsOperator: undefined });
    const ill = rememberPass(emptyState, pass(upgrade, stuck("unhealthy", "health", readOnly)));
    expect(ill).toMatchObject({ rejected: [{ served }], needsOperator: { at: now } });
  });
});

describe("a repair", () => {
  const repaired = (state: State, outcome: Outcome): State => rememberPass(state, pass(repair, outcome, damaged));

  test("that fails is counted, and blames no version", () => {
    const first = repaired(emptyState, stuck("install-failed", "install"));
    expect(first).toMatchObject({
      repair: { to: old, attempts: 1, isNowhere: false },
      needsOperator: undefined,
      rejected: [],
      backoff: { failures: 1 },
    });
    expect(repaired(first, stuck("verify-failed", "verify"))).toMatchObject({
      repair: { attempts: 2 },
      needsOperator: undefined,
    });
  });

  test("whose package is nowhere to be had says so, until it is found again", () => {
    const nowhere = repaired(emptyState, failed("not-offered", "offer"));
    expect(nowhere).toMatchObject({ repair: { to: old, attempts: 0, isNowhere: true }, backoff: { served: old, failures: 1 } });
    const tried = repaired(nowhere, stuck("install-failed", "install"));
    expect(tried.repair).toEqual({ to: old, attempts: 1, isNowhere: false });
    expect(repaired(tried, failed("not-offered", "offer")).repair).toEqual({ to: old, attempts: 1, isNowhere: true });
  });

  test.each([
    ["did not come to touch the package", failed("database-broken", "refresh")],
    ["met a full disk", stuck("no-space", "install")],
  ])("that %s is not counted", (_, outcome) => {
    expect(repaired(emptyState, outcome)).toMatchObject({ repair: undefined, backoff: { failures: 1 } });
  });

  test("of another version begins to count again", () => {
    const before: State = { ...emptyState, repair: { to: other, attempts: 1, isNowhere: false } };
    expect(repaired(before, failed("install-failed")).repair).toEqual({ to: old, attempts: 1, isNowhere: false });
  });

  test("is over once a pass finds the package in order", () => {
    const before: State = { ...emptyState, repair: { to: old, attempts: 1, isNowhere: false } };
    expect(rememberPass(before, pass(outside, stayed)).repair).toBeUndefined();
    expect(rememberPass(before, pass(outside, stayed, damaged)).repair).toEqual(before.repair);
    expect(rememberPass(before, pass(outside, stayed, { installed: { kind: "absent" } })).repair).toBeUndefined();
  });
});

describe("whatever came before", () => {
  test("an unreadable state moves nothing unasked", () => {
    expect(rememberUnreadable("it is not JSON", now)).toEqual({
      ...emptyState,
      needsOperator: { at: now, why: "it is not JSON" },
    });
  });

  test("lists stay bounded, no step stays in hand, and a second quiet pass changes nothing but the list of passes", () => {
    fc.assert(
      fc.property(anyState("plain"), fc.constantFrom(current, outside), (before, decision) => {
        const once = rememberPass(before, pass(decision, stayed));
        const twice = rememberPass(once, pass(decision, stayed));
        expect(once.passes.length).toBeLessThanOrEqual(10);
        expect({ ...twice, passes: [] }).toEqual({ ...once, passes: [] });
      }),
    );
  });
});

describe("forgetting failures", () => {
  test("leaves nothing that holds back, and all that tells of the past", () => {
    fc.assert(
      fc.property(anyState("plain"), (before) => {
        const after = forgetFailures(before);
        const { unhealthyPasses, moveSeconds, ...held } = memoryOf(after, "running");
        expect([unhealthyPasses, moveSeconds]).toEqual([0, before.moveSeconds]);
        expect(held).toEqual({
          needsOperator: undefined,
          rejected: [],
          backoff: undefined,
          rescuedFor: undefined,
          previous: before.previous,
          repairs: undefined,
          heard: { ...before.heard, versions: [], alternation: undefined },
        });
        expect(after.cutOffs).toBeUndefined();
        expect(after.passes).toBe(before.passes);
        expect(after.lastContact).toBe(before.lastContact);
        expect(after.step).toBe(before.step);
      }),
    );
  });
});

describe("forgetting one rejection", () => {
  test("leaves all else as it was, the rejections of other versions too", () => {
    fc.assert(
      fc.property(anyState("plain"), (before) => {
        const state: State = { ...before, rejected: [rejection, { ...rejection, served: other }, ...before.rejected] };
        const after = forgetRejection(state, served);
        expect({ ...after, rejected: [] }).toEqual({ ...state, rejected: [] });
        expect(after.rejected).toEqual(state.rejected.filter((row) => row.served !== served));
        expect(after.rejected).toContainEqual({ ...rejection, served: other });
      }),
    );
  });
});
