import { describe, expect, test } from "vitest";
import { decide } from "../../../src/kube/objects/decide-object.ts";
import { nothingStands, type MoveInHand, type Standing } from "../../../src/kube/objects/move-memory.ts";
import type { KnownMember, Member } from "../../../src/kube/objects/member.ts";
import { version } from "../../rules/version/given.ts";
import { given, noMemory, now, objectOf, statusOf } from "./given.ts";

const [older, newer] = [version("15.4.5"), version("15.4.6")];
const image = "registry.example:5000/svc:15.4.6";

const move: MoveInHand = {
  step: "rolling",
  why: "window",
  from: older,
  to: newer,
  imageBefore: "registry.example:5000/svc:15.4.5",
  image,
  wasWell: true,
  unready: [],
  startedAt: now,
  since: now,
  generation: 2,
  tries: 0,
  revisions: [],
  progress: { count: 0, at: now },
  cause: undefined,
  trouble: undefined,
  freeing: undefined,
};

const channel = "https://cluster.example/v1/stable";
const self: Member = { reference: "statefulset/agent", channel, known: undefined };

/** statefulset/canary, still at 15.4.5 and well, but for what is different. */
function canary(standing: Partial<Standing> = {}, changes: Partial<KnownMember> = {}): Member {
  const known = {
    object: objectOf(),
    current: older,
    standing: { ...nothingStands, ...standing },
    decision: undefined,
    next: undefined,
    ...changes,
  };
  return { reference: "statefulset/canary", channel, known };
}

const { from, to, imageBefore } = move;
const last = { outcome: "proven", from, to, imageBefore, image, at: now, why: undefined } as const;
const proven = canary({ last }, { current: newer, object: objectOf(statusOf({ ready: 0, available: 0 })) });
const moving = canary({ move });
const backoff = { served: newer, cause: { message: "its image cannot be pulled" }, failures: 1, until: now + 600 };
const rejection = { served: newer, artifact: image, at: now, why: "it is not ready" };
const unknown: Member = { reference: "statefulset/unseen", channel, known: undefined };

function times(count: number, one: Member): readonly Member[] {
  return Array.from({ length: count }, () => one);
}

const first = "another object goes first: statefulset/canary";

describe("an object whose gates say move waits", () => {
  test.each<readonly [title: string, others: readonly Member[], told: string]>([
    ["for the first one", [canary(), moving], `${first} is in the middle of a move`],
    [
      "for one that may have pods again before its image is changed",
      [canary({ move: { ...move, step: "begun" } }, { object: objectOf({ replicas: 0 }) })],
      `${first} is in the middle of a move`,
    ],
    ["for the first one's way back", [canary({ move: { ...move, step: "returning" } })], `${first} is in the middle of a move`],
    [
      "while one of the same channel moves to another version",
      [canary({ move: { ...move, to: version("15.4.4") } })],
      `${first} is in the middle of a move`,
    ],
    ["for those that move together", [proven, moving], "as many objects as may move together do: statefulset/canary (1 of 3)"],
    [
      "for a tenth of very many, whose names would change all the time",
      [...times(35, proven), ...times(4, moving)],
      "as many objects as may move together do (4 of 40)",
    ],
    [
      "for many that cannot be seen",
      times(5, unknown),
      "statefulset/unseen, statefulset/unseen, statefulset/unseen and 2 more cannot be seen, and may be in the middle of a move",
    ],
    [
      "for the end of the first one's wait",
      [canary(), canary({ backoff })],
      `${first} failed, and tries again at 2026-11-20T02:20:00Z: its image cannot be pulled`,
    ],
  ])("%s", (_, others, told) => {
    const all = [self, ...others];
    const lift = "`kubectl -n agents annotate --overwrite statefulset/agent svc.dev/run-now=$(date -u +%FT%TZ)`";
    expect(decide(...given({ all }))).toMatchObject({ kind: "stay", why: "queued", told, lift });
    expect(decide(...given({ all }, { asked: { when: "now" } }))).toMatchObject({ kind: "move", why: "asked" });
  });

  test("until the first one tries again", () => {
    expect(decide(...given({ all: [canary({ backoff })] }))).toMatchObject({ why: "queued", until: now + 600 });
  });

  test("while it is ill itself, for another one that was", () => {
    const all = [canary({ move: { ...move, wasWell: false } })];
    const object = objectOf(statusOf({ ready: 2, available: 2 }));
    const memory = { ...noMemory, unhealthySince: now - 600 };
    expect(decide(...given({ object, memory }))).toMatchObject({ kind: "move" });
    expect(decide(...given({ all, object, memory }))).toMatchObject({ why: "queued" });
  });
});

describe("an object whose gates say move goes", () => {
  const absent = { object: undefined, current: undefined };
  test.each<readonly [title: string, others: readonly Member[]]>([
    ["first", [canary(), canary()]],
    ["once the first one is proven", [proven, canary()]],
    ["where all pods of another one run the version already", [canary({ backoff }), canary({}, { current: newer })]],
    ["while one moves that is gone", [canary({ move: { ...move, step: "rolling" } }, absent)]],
    ["while one of another channel moves elsewhere", [{ ...canary({ move: { ...move, to: older } }), channel: "another" }]],
    ["where one that is gone has failed", [canary({ backoff }, absent)]],
    ["where one has failed with another version", [canary({ backoff: { ...backoff, served: older } })]],
    ["while one moves that was unwell before", [canary({ move: { ...move, wasWell: false } })]],
    ["after the first one's wait", [canary({ backoff: { ...backoff, until: now } })]],
    ["where a person took it back elsewhere", [canary({ rejected: [{ ...rejection, isAsked: true }] })]],
    ["where another version was rejected elsewhere", [canary({ rejected: [{ ...rejection, served: older }] })]],
  ])("%s", (_, others) => {
    expect(decide(...given({ all: [self, ...others] }))).toMatchObject({ kind: "move", why: "window" });
  });
});

describe("a version is not proven", () => {
  test.each<readonly [title: string, standing: Partial<Standing>, known: Partial<KnownMember>]>([
    ["by one in the middle of its move", { move, last }, { current: newer }],
    ["by one whose move was proven for another version", { last: { ...last, to: older } }, ill({ available: 2 })],
    ["by one that runs it on no replicas", {}, { current: newer, object: objectOf({ replicas: 0 }) }],
    ["by one whose pods do not run it yet", {}, ill({ updated: 2 })],
    ["by one whose change was not seen yet", {}, { current: newer, object: objectOf({ generation: 3 }) }],
  ])("%s", (_, standing, known) => {
    expect(decide(...given({ all: [canary(standing, known), moving] }))).toMatchObject({
      why: "queued",
      told: expect.stringMatching(/^another object goes first: /),
    });
  });

  function ill(changes: Parameters<typeof statusOf>[0]): Partial<KnownMember> {
    return { current: newer, object: objectOf(statusOf(changes)) };
  }
});

describe("an object behind another one in the order", () => {
  const until = now + 3600;
  const closed = { kind: "stay", why: "outside-window", told: "outside the maintenance window", until } as const;
  const suspended = { kind: "stay", why: "suspended", told: 'svc.dev/skipreconcile is "true"' } as const;
  const behind = { kind: "stay", why: "current", told: "15.4.5 is the served version" } as const;
  const away = { kind: "stop", code: "channel-unreachable", told: "it is away", hint: "wait" } as const;
  const other = (changes: Partial<KnownMember>): Member => ({ ...canary({}, changes), channel: "another" });

  test.each<readonly [title: string, before: Member, told: string, until: number]>([
    ["whose window is closed", canary({}, { decision: closed }), `${first}, which stays: ${closed.told}`, until],
    [
      "that is to have it by another channel",
      other({ decision: closed, next: newer }),
      `${first}, which stays: ${closed.told}`,
      until,
    ],
    ["that was answered before it", canary({}, { decision: behind }), `${first}, which has not heard of ${newer} yet`, now + 60],
    ["that was not answered", canary({}, { decision: away }), `${first}, which has not heard of ${newer} yet`, now + 60],
  ])("waits for one %s, unless it is asked", (_, before, told, ends) => {
    expect(decide(...given({ all: [before, self] }))).toMatchObject({ why: "queued", told, until: ends });
    expect(decide(...given({ all: [before, self] }, { asked: { when: "now" } }))).toMatchObject({ why: "asked" });
    expect(decide(...given({ all: [self, before] }))).toMatchObject({ why: "window" });
    expect(decide(...given({ all: [before, self, proven] }))).toMatchObject({ why: "window" });
  });

  test.each<readonly [title: string, before: Member, code: string]>([
    ["is suspended", canary({}, { decision: suspended }), "suspended"],
    ["is OnDelete", canary({}, { decision: { ...suspended, why: "not-rolling" } }), "not-rolling"],
  ])("goes before one that %s, and it is told", (_, before, code) => {
    const told = `; passed over: statefulset/canary (${code})`;
    expect(decide(...given({ all: [before, self] })).told).toMatch(told);
    const waits = decide(...given({ all: [before, self, { ...moving, reference: "statefulset/relay" }] }));
    expect(waits).toMatchObject({ why: "queued", told: expect.stringContaining(told) });
    for (const all of [
      [self, before],
      [before, self, proven],
    ])
      expect(decide(...given({ all })).told).not.toContain("passed");
  });

  test("that moves, or cannot be seen, is not passed over", () => {
    for (const before of [canary({ move }, { decision: suspended }), unknown]) {
      const { told } = decide(...given({ all: [before, self] }));
      expect(told).toMatch(/is in the middle of a move$|cannot be seen, and may be in the middle of a move$/);
    }
  });

  test.each<readonly [title: string, before: Member]>([
    ["that has the version", canary({}, { decision: closed, current: newer, object: objectOf({ replicas: 0 }) })],
    ["that follows another channel", other({ decision: suspended, next: older })],
    ["that waits itself", canary({}, { decision: { ...closed, why: "queued" } })],
    ["whose stay is over", canary({}, { decision: { ...closed, until: now } })],
  ])("passes one %s without a word", (_, before) => {
    const told = /^the maintenance window is open until [^;]*$/;
    expect(decide(...given({ all: [before, self] }))).toMatchObject({ why: "window", told: expect.stringMatching(told) });
  });
});

test("what one object rejects is rejected for all, even where a person asks, and the one to retry is named", () => {
  const facts = { all: [unknown, canary({ rejected: [rejection] })] };
  for (const when of ["timer", "now"] as const) {
    expect(decide(...given(facts, { asked: { when } }))).toEqual({
      kind: "stay",
      why: "rejected",
      told: `${image} was rejected at statefulset/canary on 2026-11-20T02:10:00Z: it is not ready`,
      lift: "a newer version is served; or `kubectl -n agents annotate --overwrite statefulset/canary svc.dev/retry=$(date -u +%FT%TZ)`",
    });
  }
});
