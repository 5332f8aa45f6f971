import { describe, expect, test } from "vitest";
import { currentVersion, decide, notSeen } from "../../../src/kube/objects/decide-object.ts";
import { illSince, type ObjectFacts, type ObjectPolicy } from "../../../src/kube/objects/object-facts.ts";
import { nothingStands } from "../../../src/kube/objects/move-memory.ts";
import { slipOf } from "../../../src/kube/objects/object-gates.ts";
import { parseInstant } from "../../../src/rules/window/instant.ts";
import { faultOf, serves, servesUnconfirmed } from "../../updater/plan/given.ts";
import { version } from "../../rules/version/given.ts";
import { defaultPolicy, given, noMemory, now, objectOf, statusOf } from "./given.ts";

const newer = version("15.4.6");
const outside: Partial<ObjectFacts> = { schedule: { kind: "windows", windows: [{ start: now + 3600, stop: now + 7200 }] } };
const none = { kind: "none", why: "schedule-missing", told: "no valid schedule: there is none" } as const;

describe("in an open window with a newer version served", () => {
  test("it would move, and says to which image", () => {
    expect(decide(...given())).toEqual({
      kind: "move",
      why: "window",
      told: "the maintenance window is open until 2026-11-20T03:00:00Z",
      until: now + 2400,
      target: { kind: "upgrade", from: "15.4.5", to: "15.4.6", image: "registry.example:5000/svc:15.4.6" },
    });
  });

  test("a pin is told with it", () => {
    const decision = decide(...given({}, { pin: { version: version("15.4.7"), reason: undefined } }));
    expect(decision).toMatchObject({
      kind: "move",
      told: expect.stringMatching(/^15\.4\.7 is pinned; /),
      target: { to: "15.4.7" },
    });
  });
});

const withStrategy = (changes: object, more: object = {}): Partial<ObjectFacts> => ({
  object: objectOf({ strategy: { type: "RollingUpdate", partition: 0, isPaused: false, ...changes }, ...more }),
});

type Case = readonly [title: string, why: string, facts: Partial<ObjectFacts>, policy: Partial<ObjectPolicy>];

/** In the order of the gates: each case is one for all gates below it, too, which are closed. */
const stays: readonly Case[] = [
  ["svc.dev/skipreconcile is true", "suspended", { object: objectOf({ skip: "true", containers: [] }) }, {}],
  ["no version is served", "no-version", { answer: serves("none") }, {}],
  ["the answer may be outdated", "unconfirmed", { answer: servesUnconfirmed(newer) }, {}],
  ["the served version runs", "current", { answer: serves(version("15.4.5")) }, {}],
  ["the pinned version runs", "pinned", {}, { pin: { version: version("15.4.5"), reason: "the freeze" } }],
  ["a GitOps tool has marked it", "gitops", { object: objectOf({ gitOps: "argocd.argoproj.io/tracking-id" }) }, {}],
  ["the setting says that others set the image", "gitops", {}, { mode: "report" }],
  ["it is paused", "not-rolling", withStrategy({ isPaused: true }), {}],
  ["it is updated on deletion", "not-rolling", withStrategy({ type: "OnDelete" }), {}],
  ["its partition keeps all", "not-rolling", withStrategy({ partition: 3 }), {}],
  ["its last change was not seen", "rolling", { object: objectOf({ generation: 3 }) }, {}],
  ["pods are not updated", "rolling", { object: objectOf(statusOf({ updated: 2 })) }, {}],
  ["the old revision is there", "rolling", { object: objectOf(statusOf({ updateRevision: "b" })) }, {}],
  ["old pods are left", "rolling", { object: objectOf(statusOf({ replicas: 4 })) }, {}],
  ["the record is unreadable", "needs-operator", { memory: { ...noMemory, unreadable: "it is not JSON" } }, {}],
  ["there is a hold", "held", {}, { hold: { until: undefined, reason: undefined } }],
  ["an older version is served", "downgrade-refused", { answer: serves(version("15.4.4")) }, {}],
  ["majors are stepped over", "major-refused", { answer: serves(version("17.0.0")) }, { major: "one-step" }],
  ["the clock is wrong", "clock", { clock: { kind: "wrong", why: "it is" } }, {}],
  ["a blackout lasts", "blackout", {}, { blackouts: [{ from: now - 1, to: now + 1, reason: undefined }] }],
  ["the window is closed", "outside-window", outside, {}],
  ["there is no schedule", "schedule-missing", { schedule: none }, {}],
];

describe("it stays where", () => {
  test.each(stays)("%s: %s", (_, why, facts, policy) => {
    expect(decide(...given(facts, policy))).toMatchObject({ kind: "stay", why });
  });

  test.each(stays.slice(0, 15))("%s, though the update is critical: %s", (_, why, facts, policy) => {
    const { answer = serves(newer) } = facts;
    const critical = answer.kind === "served" ? { ...answer, isCritical: true } : answer;
    expect(decide(...given({ ...facts, answer: critical }, policy))).toMatchObject({ kind: "stay", why });
  });
});

test("a record that cannot be read is told, though the served version is in the template: a move may be in hand", () => {
  const facts = { answer: serves(version("15.4.5")), memory: { ...noMemory, unreadable: "it is not JSON" } };
  expect(decide(...given(facts))).toMatchObject({ why: "needs-operator", lift: expect.stringMatching(/^remove the record: /) });
});

test("what cannot be seen is told with the right that it takes", () => {
  const told = "pods cannot be seen: forbidden";
  const hint = expect.stringMatching(/^give the service account list and watch on it; `kubectl -n agents describe roles`/);
  expect(notSeen(told, defaultPolicy)).toEqual({ kind: "stop", code: "api-refused", told, hint });
});

test("a wait after a failure says what mends it, where it is known", () => {
  const backoff = (mend?: "right") => ({ served: newer, cause: { message: "it failed", mend }, failures: 1, until: now + 60 });
  const after = (mend?: "right") =>
    decide(...given({ memory: { ...noMemory, standing: { ...noMemory.standing, backoff: backoff(mend) } } }));
  expect(after()).toMatchObject({ why: "backing-off", until: now + 60 });
  expect(after()).not.toHaveProperty("lift");
  expect(after("right")).toMatchObject({ why: "backing-off", lift: expect.stringContaining("patch on it") });
});

describe("it would move where", () => {
  test("the update is critical, outside of any window", () => {
    expect(decide(...given({ ...outside, answer: serves(newer, "critical") }))).toMatchObject({ kind: "move", why: "critical" });
  });

  test("it has been unhealthy for long enough and there is no schedule", () => {
    const ill = (seconds: number) => given({ schedule: none, memory: { ...noMemory, unhealthySince: now - seconds } });
    expect(decide(...ill(600))).toMatchObject({ kind: "move", why: "rescue" });
    expect(decide(...ill(599))).toMatchObject({ kind: "stay", why: "schedule-missing" });
  });

  test("a GitOps tool has marked it, and the setting says that this is meant", () => {
    const object = objectOf({ gitOps: "argocd-controller" });
    expect(decide(...given({ object }, { mode: "update" }))).toMatchObject({ kind: "move" });
  });

  test("a partition lets some pods be updated, and they are", () => {
    const facts = withStrategy({ partition: 2 }, statusOf({ updated: 1, updateRevision: "b" }));
    expect(decide(...given(facts))).toMatchObject({ kind: "move" });
  });
});

describe("it stops where", () => {
  test.each([
    ["there is no such object", "object-absent", { object: undefined }, "there is no StatefulSet agent in the namespace agents"],
    [
      "the tag names no version",
      "tag-unreadable",
      { object: objectOf({ containers: [{ name: "svc", image: "svc:latest" }] }) },
      "the image svc:latest has the tag latest, which is not {version} with a version",
    ],
    ["no tag can name it", "version-untaggable", { answer: serves(version("15.5.0+a")) }, "no tag can name the version 15.5.0+a"],
    [
      "the server is away",
      "channel-unreachable",
      { answer: { kind: "fault", fault: faultOf("channel-unreachable") } },
      "channel-unreachable happened",
    ],
  ] as const)("%s: %s", (_, code, facts, told) => {
    const decision = decide(...given(facts));
    expect(decision).toMatchObject({ kind: "stop", code, told });
    expect(JSON.stringify(decision)).not.toMatch(/svc-upgrade|systemctl/);
  });

  test.each<readonly [Partial<ObjectFacts>, RegExp]>([
    [{ object: objectOf({ containers: [{ name: "svc", image: "svc:v15.4.5" }] }) }, /^set `objects\[2\]\.tag: "v\{version\}"`$/],
    [{ object: objectOf({ containers: [{ name: "svc", image: "svc:latest" }] }) }, /^set `objects\[2\]\.tag` to how/],
  ])("names the entry of several", (facts, hint) => {
    expect(decide(...given(facts, { entry: "objects[2]" }))).toMatchObject({ kind: "stop", hint: expect.stringMatching(hint) });
  });
});

test.each([
  ["suspended", { object: objectOf({ skip: "true" }) }, "`kubectl -n agents annotate statefulset/agent svc.dev/skipreconcile-`"],
  ["not-rolling", withStrategy({ isPaused: true }), "`kubectl -n agents rollout resume statefulset/agent`"],
  [
    "rolling",
    { object: objectOf({ generation: 3 }) },
    "the rollout ends; to follow it: `kubectl -n agents rollout status statefulset/agent`",
  ],
  ["schedule-missing", { schedule: none }, "set `window`, or `schedule_secret`"],
] as const)("%s says what lifts it", (why, facts, lift) => {
  expect(decide(...given(facts, { scheduleSecret: undefined }))).toMatchObject({ why, lift });
});

test.each([
  ["True", true],
  [" yes ", true],
  ["1", true],
  ["true", false],
  ["false", false],
  ["", false],
  [undefined, false],
])("svc.dev/skipreconcile as %j is a slip: %j", (skip, isSlip) => {
  expect(slipOf(objectOf({ skip })) !== undefined).toBe(isSlip);
});

test("the version is known where the tag names one", () => {
  expect(currentVersion(objectOf(), defaultPolicy)).toBe("15.4.5");
  expect(currentVersion(objectOf({ containers: [] }), defaultPolicy)).toBeUndefined();
  expect(currentVersion(undefined, defaultPolicy)).toBeUndefined();
});

describe("unready pods", () => {
  const ill = objectOf(statusOf({ ready: 2, available: 2 }));
  test.each([
    ["are seen for the first time", undefined, ill, now],
    ["were seen in the future, by a clock that was wrong", now + 30, ill, now],
    ["went with their object", now - 30, undefined, undefined],
  ])("%s", (_, before, object, since) => {
    expect(illSince(before, { now, object, againSince: 0, unhealthySeconds: 600 })).toBe(since);
  });

  test("whose container has ended are well once they have been ready for five minutes", () => {
    const well = (againSince: number) => illSince(now - 900, { now, object: objectOf(), againSince, unhealthySeconds: 600 });
    expect([well(now - 300), well(now - 299), well(Infinity)]).toEqual([undefined, now - 900, now - 900]);
  });

  test("of the version that it should have are told, with what a person can type", () => {
    const { from, to, image } = { from: version("15.4.4"), to: version("15.4.5"), image: "registry.example:5000/svc:15.4.5" };
    const last = { outcome: "proven", from, to, imageBefore: "svc:15.4.4", image, at: now - 9000, why: undefined } as const;
    const memory = { ...noMemory, unhealthySince: now - 600 };
    const facts = { answer: serves(to), memory };
    const told = "it has its version, and not all of its pods have been available, or not for long, since 2026-11-20T02:00:00Z";
    expect(decide(...given(facts))).toMatchObject({ why: "unhealthy", told, lift: expect.not.stringContaining("rollback") });
    const moved = { ...facts, memory: { ...memory, standing: { ...noMemory.standing, last } } };
    expect(decide(...given(moved))).toMatchObject({ why: "unhealthy", lift: expect.stringContaining("svc.dev/rollback") });
    expect(decide(...given({ ...facts, memory: { ...memory, unhealthySince: now - 599 } }))).toMatchObject({ why: "current" });
    expect(decide(...given({ memory }, { pin: { version: to, reason: undefined } }))).toMatchObject({ why: "unhealthy" });
  });

  const since = (unhealthySince: number | undefined) => ({ object: ill, memory: { ...noMemory, unhealthySince } });
  test.each([
    ["since a moment", undefined, "2026-11-20T02:20:00Z"],
    ["since nine minutes", now - 540, "2026-11-20T02:11:00Z"],
  ])("%s are waited for", (_, unhealthySince, until) => {
    const told = `not all of its pods are ready; they are waited for until ${until}`;
    expect(decide(...given(since(unhealthySince)))).toMatchObject({ why: "rolling", told, until: parseInstant(until) });
  });

  test("are waited for no longer than ten minutes, and not where a person asks for it", () => {
    expect(decide(...given(since(now - 600)))).toMatchObject({ kind: "move" });
    expect(decide(...given(since(now), { asked: { when: "now" } }))).toMatchObject({ kind: "move", why: "asked" });
  });

  test.each<[string, object, string]>([
    ["are of the only revision of a set that makes the next one once the last is ready", {}, "move"],
    ["are of an older revision than the set's own", { updateRevision: "b" }, "stay"],
  ])("%s: %s, after ten minutes", (_, changes, kind) => {
    const object = objectOf(statusOf({ replicas: 1, updated: 1, ready: 0, available: 0, ...changes }));
    const facts = { object, memory: { ...noMemory, unhealthySince: now - 600 } };
    expect(decide(...given(facts))).toMatchObject({ kind, why: kind === "move" ? "window" : "rolling" });
  });

  test("of a rollout that was left for another version are no rollout of somebody else's", () => {
    const object = objectOf(statusOf({ updated: 2, ready: 2 }));
    const image = object.containers[0]?.image ?? "";
    const [from, to] = [version("15.4.4"), version("15.4.5")];
    const left = (moved: string): typeof nothingStands => ({
      ...nothingStands,
      last: { outcome: "unproven", from, to, imageBefore: "svc:15.4.4", image: moved, at: 0, why: undefined },
    });
    const why = (standing: typeof nothingStands): unknown =>
      decide(...given({ object, memory: { ...noMemory, standing, unhealthySince: now - 600 } }));
    expect(why(left(image))).toMatchObject({ kind: "move", why: "window" });
    expect(why(left("svc:15.4.3"))).toMatchObject({ why: "rolling" });
  });

  test("of a way back that has failed are a person's", () => {
    const standing = { ...nothingStands, needsOperator: { at: now, why: "the way back makes no progress" } };
    const object = objectOf(statusOf({ updated: 2, ready: 2 }));
    expect(decide(...given({ object, memory: { ...noMemory, standing } }))).toMatchObject({ why: "needs-operator" });
  });
});
