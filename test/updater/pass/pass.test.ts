import { describe, expect, test } from "vitest";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { faultData } from "../../../src/rules/fault/explain.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { observe } from "../../../src/updater/pass/observe.ts";
import type { State } from "../../../src/updater/record/state.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { calledCritical } from "../plan/given.ts";
import { digestOf, heardBefore, servedBefore } from "../../rules/channel/given.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import {
  closedSchedule,
  fakeHost,
  installed,
  now,
  packageVersion,
  serves,
  settings,
  stateWith,
  version,
  type FakeHost,
} from "./given.ts";
import { full, left, pass } from "./stage.ts";

describe("a pass that is answered under other channels than the ones before", () => {
  const served = { kind: "version", version: version("15.4.5") } as const;
  const under = (letter: string): FakeHost =>
    fakeHost({ answer: { kind: "served", served, isCritical: false, channels: digestOf(letter) }, schedule: closedSchedule });
  const heard = (letters: string): State => stateWith({ channels: heardBefore(now, letters) });

  test.each([
    ["hears others for the first time", heard("a"), "b"],
    ["hears what was told of already", heard("bab"), "a"],
  ])("says nothing of it: %s", async (_title, state, letter) => {
    const host = under(letter);
    await pass(host, { state });
    expect(host.lines.map(({ sentence }) => sentence)).toEqual(["no upgrades available (15.4.5 == 15.4.5)"]);
    expect(left(host).channels[0]).toMatchObject({ digest: digestOf(letter), until: now });
  });

  test("says it where they alternate, with both and what to do", async () => {
    const host = under("a");
    await pass(host, { state: heard("ba") });
    expect(host.lines[0]).toEqual({
      level: "warning",
      sentence:
        "answers alternate between the channel configurations aaaaaaaaaaaa and bbbbbbbbbbbb: instances of the version server disagree, and hosts may flip between versions; give all instances the same channels: `svc-proxy config digest` on each of them shows which one differs (unless a change was just taken back)",
      fields: {},
    });
    expect(host.lines).toHaveLength(2);
  });
});

describe("a pass that hears the channel serve what it had served before", () => {
  const serving = (text: string): FakeHost => fakeHost({ answer: serves(text), schedule: closedSchedule });
  const before = (...texts: readonly string[]): State => stateWith({ heard: servedBefore(now, texts) });

  test.each([
    ["the first answer", before(), "15.4.5"],
    ["what was told of already", before("15.4.6", "15.4.5", "15.4.6"), "15.4.5"],
  ])("says nothing of it: %s", async (_title, state, text) => {
    const host = serving(text);
    await pass(host, { state });
    expect(host.lines).toHaveLength(1);
    expect(left(host).heard.versions[0]).toMatchObject({ version: text, until: now });
  });

  test("says it once, with both and what to do, and moves nothing where it could go to and fro", async () => {
    const host = fakeHost({ answer: serves("15.4.6") });
    const record = await pass(host, { state: before("15.4.6", "15.4.5"), values: { downgrade: "allow" } });
    expect(host.lines[0]).toEqual({
      level: "warning",
      sentence:
        "the channel serves 15.4.6 and 15.4.5 in turn: instances of the version server disagree, or caches before it are of different age; have every instance and every cache serve one version: ask each of them for the channel's version with curl (unless a change was just taken back)",
      fields: {},
    });
    expect(record).toMatchObject({ decision: { kind: "stay", why: "alternating" }, outcome: { kind: "stayed" } });
    expect(host.lines).toHaveLength(2);
  });

  test("counts this answer in once: status, which hears it again, does not", async () => {
    const host = fakeHost({ answer: calledCritical(version("15.4.6"), { kind: "unnamed" }), schedule: closedSchedule });
    await pass(host);
    const state = left(host);
    expect(state.heard.agreed).toEqual({ version: "15.4.6", passes: 1 });
    const remembered = { ...host.ports, askChannel: host.ports.askChannel };
    const known = { name: "svc-ent" as PackageName, channel: "default" as ChannelName, pin: undefined, state };
    expect((await observe(remembered, { ...known, asks: "memory" })).facts.memory.heard).toEqual(state.heard);
    expect((await observe(remembered, { ...known, asks: "channel" })).facts.memory.heard.agreed?.passes).toBe(2);
  });
});

describe("a pass", () => {
  test.each([
    ["stays", closedSchedule, "as seen"],
    ["moves the agent, which restarts it", undefined, "now"],
  ])("that %s notes the restarts of the agent's unit", async (_what, schedule, wanted) => {
    const host = fakeHost(schedule === undefined ? {} : { schedule });
    const restarts = { "as seen": 3, now: 0 };
    const countRestarts: typeof host.ports.countRestarts = async (when) => ({ bootId: "boot", restarts: restarts[when] });
    await pass({ ports: { ...host.ports, countRestarts } });
    expect(left(host).agent?.restarts).toBe(restarts[wanted as "now"]);
  });

  test("changes nothing where a file is another package than it is offered as, backs off, and blames no version", async () => {
    const mislabelled = new Fault("package-mislabelled", { message: "it is evil 6.6.6", hint: "have the repository corrected" });
    const host = fakeHost({ fails: [["bring 15.4.6", mislabelled]] });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", step: "keep", fault: { code: "package-mislabelled" }, back: undefined });
    expect(host.did).toEqual(["refresh", "offers", "simulate 15.4.6"]);
    expect(left(host)).toMatchObject({ rejected: [], backoff: { cause: { code: "package-mislabelled" }, failures: 1 } });
  });

  test("goes through its steps in order and journals each before it starts", async () => {
    const host = fakeHost();
    const { outcome } = await pass(host);
    expect(outcome).toEqual({ kind: "moved", from: "15.4.5", to: "15.4.6", seconds: 3 });
    expect(host.did).toEqual([
      "refresh",
      "offers",
      "simulate 15.4.6",
      "bring 15.4.6",
      "fetch 15.4.6",
      "fetch 15.4.5",
      "install 15.4.6 up",
      "activate",
      "health",
    ]);
    expect(host.saved.map((state) => state.step?.step)).toEqual([
      "refresh",
      "offer",
      "simulate",
      "keep",
      "install",
      "verify",
      "activate",
      "health",
      undefined,
    ]);
    const wanted = Array.from({ length: 6 }, () => "15.4.6");
    expect(host.saved.map((state) => state.step?.to)).toEqual([undefined, undefined, ...wanted, undefined]);
  });

  const takes = (deed: string): number => ({ refresh: 0.25, offers: 1.5, activate: 2 })[deed] ?? 0;

  test("records how long each step took, and tells the steps before the one in hand", async () => {
    const host = fakeHost({ takes });
    const { steps, seconds } = await pass(host);
    expect(seconds).toBe(7);
    expect(host.lines).toContainEqual({ level: "debug", sentence: "install ended", fields: { ms: 3000, package: "15.4.6" } });
    expect(steps).toEqual([
      { step: "refresh", ms: 250 },
      { step: "offer", ms: 1500 },
      { step: "simulate", ms: 0 },
      { step: "keep", ms: 0 },
      { step: "install", ms: 3000 },
      { step: "verify", ms: 0 },
      { step: "activate", ms: 2000 },
      { step: "health", ms: 0 },
    ]);
    expect(host.saved.map((state) => state.step?.done)).toEqual([...steps.map((_, index) => steps.slice(0, index)), undefined]);
    expect(left(host).passes[0]?.steps).toEqual(steps);
  });

  test("shows each step as it begins, and all that ended as it ends", async () => {
    const host = fakeHost({ takes });
    const shown: (readonly [done: number, inHand: string | undefined])[] = [];
    const ports = { ...host.ports, showSteps: (done: readonly object[], inHand?: string) => shown.push([done.length, inHand]) };
    const { steps } = await pass({ ...host, ports });
    expect(shown).toEqual(
      steps.flatMap(({ step }, index) => [
        [index, step],
        [index + 1, undefined],
      ]),
    );
  });

  test("records the step that failed too, and how long it took; none where it was never begun", async () => {
    const stop = new AbortController();
    const failing = fakeHost({ takes, offers: ["15.4.5"] });
    const stopped = fakeHost({ takes, stopping: stop.signal, before: () => stop.abort() });
    for (const [host, steps] of [
      [
        failing,
        [
          { step: "refresh", ms: 250 },
          { step: "offer", ms: 1500 },
        ],
      ],
      [stopped, [{ step: "refresh", ms: 250 }]],
    ] as const) {
      expect((await pass(host)).steps).toEqual(steps);
      expect(left(host).passes[0]?.steps).toEqual(steps);
    }
    expect((await pass(fakeHost({ schedule: closedSchedule }))).steps).toEqual([]);
  });

  test("leaves the host alone where it stays, and records that it looked", async () => {
    const host = fakeHost({ schedule: closedSchedule });
    const { outcome, decision } = await pass(host);
    expect(outcome).toEqual({ kind: "stayed" });
    expect(decision).toMatchObject({ kind: "stay", why: "outside-window", until: now + 7200 });
    expect(host.did).toEqual([]);
    expect(host.saved).toHaveLength(1);
    expect(host.saved[0]?.passes[0]).toMatchObject({
      installed: "15.4.5",
      served: "15.4.6",
      outcome: { kind: "stayed" },
      seconds: 0,
    });
  });

  test.each([
    ["what is installed", installed("15.4.5"), "15.4.5"],
    ["nothing of what is absent", { kind: "absent" } as const, undefined],
  ])("tells the channel of %s", async (_title, found, said) => {
    const host = fakeHost({ installed: found, schedule: closedSchedule });
    const told: unknown[] = [];
    const askChannel: typeof host.ports.askChannel = async (installing) => {
      told.push(await installing);
      return serves("15.4.6");
    };
    await pass({ ports: { ...host.ports, askChannel } }, { asked: { when: "timer", absent: "install" } });
    expect(told).toEqual([said]);
  });

  test("picks the manager's first offer that wraps the served version", async () => {
    const host = fakeHost({ offers: ["5:15.5.0-1", "5:15.4.6-2", "5:15.4.6-1"], installed: installed("5:15.4.5-1") });
    await pass(host);
    expect(host.did).toContain("install 5:15.4.6-2 up");
  });

  test("says that its move is in nobody's hand any more, once that is recorded; where nothing moved there is nothing to say", async () => {
    const moved = fakeHost();
    await pass(moved);
    expect(moved.settled).toEqual([moved.saved.length]);
    const unsettled = fakeHost({ schedule: closedSchedule });
    await pass({ ports: { ...unsettled.ports, isUnsettled: () => true } });
    expect(unsettled.settled).toEqual([1]);
    const stayed = fakeHost({ installed: installed("15.4.6") });
    await pass(stayed);
    await pass(stayed, { state: left(stayed) });
    expect(stayed.settled).toEqual([]);
  });

  test("says so as well where it has learnt something, though nothing moved, and for a move that failed as one before it", async () => {
    const learnt = fakeHost({ schedule: closedSchedule });
    const backoff = { served: version("15.4.4"), cause: faultData(full), failures: 1, until: now + 600 };
    await pass(learnt, { state: stateWith({ backoff }) });
    expect(left(learnt).backoff).toBeUndefined();
    expect(learnt.settled).toEqual([1]);
    const stop = new AbortController();
    const stopped = fakeHost({ stopping: stop.signal, before: () => stop.abort() });
    const { outcome } = await pass(stopped);
    expect([outcome.kind, stopped.settled]).toEqual(["failed", [stopped.saved.length]]);
  });

  test("writes down that it lifts a hold before it does", async () => {
    const host = fakeHost({ installed: installed("15.4.5", { isHeld: true }) });
    await pass(host, { values: { holds: "override" } });
    const holds = host.saved.map(({ step }) => [step?.step, step?.hold]);
    expect(holds).toContainEqual(["install", "lifted"]);
    expect(holds).toContainEqual(["keep", "none"]);
  });

  test("goes on where the acting side cannot write down that its move is over, and says so", async () => {
    const host = fakeHost();
    const settle = (): Promise<void> => Promise.reject(new Fault("os-failed", { message: "the socket is gone", hint: "" }));
    const { outcome } = await pass({ ...host, ports: { ...host.ports, acting: { ...host.ports.acting, settle } } });
    expect(outcome.kind).toBe("moved");
    expect(host.lines.at(-1)).toMatchObject({ level: "warning", sentence: expect.stringContaining("the socket is gone") });
  });

  test("backs off when no repository offers the version, and names five of what they offer", async () => {
    const host = fakeHost({ offers: ["15.4.1", "15.4.2", "15.4.3", "15.4.4", "15.4.5", "15.4.7"] });
    const { outcome } = await pass(host);
    expect(outcome).toMatchObject({ kind: "failed", step: "offer", fault: { code: "not-offered" } });
    expect(host.lines.at(-1)?.sentence).toContain("offers svc-ent 15.4.6; they offer 15.4.1, 15.4.2, 15.4.3, 15.4.4, 15.4.5; ");
    expect(host.lines.at(-1)?.sentence).toContain("asked were /etc/apt/sources.list.d/agent.list (http://10.0.0.8/debian)");
    expect(host.lines.at(-1)?.sentence).toContain("`apt-cache policy svc-ent`");
    expect(left(host).backoff).toMatchObject({ served: "15.4.6", until: now + 600 });
  });

  test("believes the binary and not the package manager, and does not try that package again", async () => {
    const host = fakeHost({ binarySays: "15.4.5" });
    const { outcome } = await pass(host);
    // What the agent said last has nothing to do with it.
    expect(outcome).toMatchObject({ kind: "undone", step: "verify", fault: { code: "verify-failed" }, evidence: [] });
    expect(left(host).rejected).toMatchObject([{ served: "15.4.6", packageVersion: "15.4.6" }]);
  });

  test("begins nothing new once it was asked to stop, and finishes what has begun", async () => {
    const stop = new AbortController();
    const host = fakeHost({ stopping: stop.signal, before: (deed) => deed.startsWith("install") && stop.abort() });
    expect((await pass(host)).outcome.kind).toBe("moved");
    expect(host.did.at(-1)).toBe("health");
    const early = new AbortController();
    const other = fakeHost({ stopping: early.signal, before: (deed) => deed === "offers" && early.abort() });
    const { outcome } = await pass(other);
    expect(outcome).toMatchObject({ kind: "failed", step: "offer", fault: { code: "stopping" } });
    expect(other.did).toEqual(["refresh", "offers"]);
    expect(other.saved.at(-1)?.backoff).toBeUndefined();
  });

  test("says once that an agent which was well after its move is not any more", async () => {
    const host = fakeHost();
    await pass(host);
    const state = left(host);
    const ill = fakeHost({ installed: installed("15.4.6"), agent: "unhealthy" });
    const told = (): readonly string[] => ill.lines.filter(({ level }) => level === "warning").map(({ sentence }) => sentence);
    await pass(ill, { state });
    const isIll = "no upgrades available (15.4.6 == 15.4.6); but the agent is unhealthy";
    expect(told()).toEqual([
      "svc.service was healthy after the move to 15.4.6, and is not any more; to undo it: svc-upgrade rollback",
      isIll,
    ]);
    await pass(ill, { state: left(ill) });
    expect(told().slice(2)).toEqual([`${isIll}, for 2 passes in a row`]);
  });

  test("takes a fault of the network as an answer: it records, and counts the silence", async () => {
    const fault = { code: "channel-unreachable", message: "no answer", hint: "wait", causes: [] } as const;
    const host = fakeHost({ answer: { kind: "fault", fault } });
    const { outcome, unanswered } = await pass(host);
    expect(outcome).toEqual({ kind: "stopped", fault });
    expect(unanswered).toBeUndefined();
    expect(host.lines).toMatchObject([{ level: "error", sentence: "no answer; wait" }]);
    expect(host.saved[0]?.silentSince).toBe(now);
    const later = await pass(host, { state: stateWith({ silentSince: now - 86_400 }) });
    expect(later.outcome).toMatchObject({ kind: "stopped", fault: { code: "contact-lost", causes: ["no answer"] } });
  });

  test("keeps what a step threw: a fault as it is, anything else as a bug of ours", async () => {
    const fault = new Fault("no-space", { message: "no room on /usr", hint: "make room", cause: new Error("ENOSPC") });
    const host = fakeHost({ fails: [["simulate 15.4.6", fault]] });
    expect((await pass(host)).outcome).toMatchObject({ kind: "failed", step: "simulate", fault: { code: "no-space" } });
    const odd = fakeHost({ fails: [["activate", new TypeError("odd")]] });
    expect((await pass(odd)).outcome).toMatchObject({
      kind: "failed",
      step: "activate",
      fault: { code: "bug", causes: ["odd"] },
    });
    const stacks = (of: FakeHost): readonly unknown[] =>
      of.lines.flatMap(({ level, fields }) => (level === "debug" && "stack" in fields ? [fields["stack"]] : []));
    expect(stacks(odd)).toEqual([expect.stringContaining("TypeError: odd")]);
    expect(stacks(host)).toEqual([]);
    const early = fakeHost({ fails: [["refresh", new TypeError("odd")]] });
    await pass(early);
    expect(stacks(early)).toEqual([expect.stringContaining("TypeError: odd")]);
  });
});

describe("a version that failed here and is still served", () => {
  const rejected = [{ served: version("15.4.6"), packageVersion: packageVersion("15.4.6-1"), at: now - 60, why: "it crashed" }];
  const servedTwice = { offers: ["15.4.6-1", "15.4.5"] };

  test("is searched for in another package once an hour", async () => {
    const host = fakeHost(servedTwice);
    await pass(host, { state: stateWith({ rejected }) });
    expect(host.did).toEqual(["offers", "build", "refresh", "offers", "build"]);
    expect(left(host).searchedAt).toBe(now);
    await pass(host, { state: left(host) });
    expect(host.did.slice(5)).toEqual(["offers", "build"]);
  });

  test("is not searched for once the pass was asked to stop", async () => {
    const host = fakeHost({ ...servedTwice, stopping: AbortSignal.abort() });
    await pass(host, { state: stateWith({ rejected }) });
    expect(host.did).toEqual(["offers", "build"]);
  });

  test("is no reason to hide a bug", async () => {
    const host = fakeHost({ ...servedTwice, fails: [["offers", new TypeError("odd")]] });
    await expect(pass(host, { state: stateWith({ rejected }) })).rejects.toThrow("odd");
  });

  test("is searched for at once where the lists cannot be read, which refreshes them", async () => {
    const spoilt = new Fault("install-failed", { message: "they cannot be parsed", hint: "" });
    const host = fakeHost({ ...servedTwice, fails: [["offers", spoilt]] });
    const record = await pass(host, { state: stateWith({ rejected, searchedAt: now - 60 }) });
    expect(record.outcome).toEqual({ kind: "stayed" });
    expect(host.did).toEqual(["refresh", "offers", "build"]);
  });

  test("is moved to in the pass that finds it", async () => {
    let isRefreshed = false;
    const host = fakeHost({
      offers: ["15.4.6-2", "15.4.6-1", "15.4.5"],
      before: (deed) => {
        isRefreshed ||= deed === "refresh";
      },
    });
    const { findManager } = host.ports;
    const ports = {
      ...host.ports,
      findManager: async () => {
        const found = await findManager();
        const offers = async (): Promise<readonly PackageVersion[]> => {
          const all = await found.manager.offers(settings().agent.package);
          return isRefreshed ? all : all.slice(1);
        };
        return { ...found, manager: { ...found.manager, offers } };
      },
    };
    const { outcome } = await pass({ ports }, { state: stateWith({ rejected }) });
    expect(outcome).toMatchObject({ kind: "moved", to: "15.4.6-2" });
  });

  test("stays rejected where the repositories cannot be searched", async () => {
    const away = new Fault("refresh-failed", { message: "the mirror is away", hint: "wait" });
    const host = fakeHost({ ...servedTwice, fails: [["refresh", away]] });
    expect((await pass(host, { state: stateWith({ rejected }) })).decision).toMatchObject({ kind: "stay", why: "rejected" });
    expect(left(host).searchedAt).toBe(now);
    expect(host.lines[0]).toMatchObject({
      level: "info",
      sentence: "whether another package is offered is not known: the mirror is away",
    });
  });
});
