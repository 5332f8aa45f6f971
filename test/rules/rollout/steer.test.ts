import { describe, expect, test } from "vitest";
import { advance } from "../../../src/rules/rollout/advance.ts";
import { standingOf, status as shape, type Status } from "../../../src/rules/rollout/status.ts";
import { begin, leave, pause, resume, skip, undo } from "../../../src/rules/rollout/steer.ts";
import { stageRows, tellBound, tellRollout } from "../../../src/rules/rollout/tell.ts";
import { tallyStages } from "../../../src/rules/rollout/tally.ts";
import { decodeValue } from "../../../src/rules/shape/read.ts";
import { encode } from "../../../src/rules/shape/write.ts";
import { version } from "../version/given.ts";
import {
  begun,
  canary,
  few,
  from,
  hostOf,
  hostsOf,
  hour,
  moved,
  person,
  rest,
  seen,
  specOf,
  start,
  target,
  undone,
  updater,
} from "./given.ts";

const spec = specOf();
const canaries = hostsOf(20, { labels: { env: "canary" } }).map((host) => ({ ...host, id: `canary-${host.id}` }));
const others = hostsOf(100);
const first = seen([...canaries, ...others]);
const moving = advance(spec, begun(spec, first), first);
const now = start + hour;
const [one, two, three, ...well] = canaries.map((host) => ({ ...host, reported: now }));
const failing = seen(
  [undone(one!, now), undone(two!, now), undone(three!, now), ...well, ...others.map((host) => ({ ...host, reported: now }))],
  now,
);
const halted = advance(spec, moving, failing);
const served = (text: string) => ({ kind: "version", version: version(text) }) as const;

describe("a rollout begins", () => {
  const done: Status = { ...moving, stages: moving.stages.map((stage) => ({ ...stage, state: "done", why: "soaked" })) };
  const beginAgain = (before: Status | undefined, changed = spec): Status =>
    begin(changed, { evidence: first, from: served("15.4.1"), before });
  const next = specOf([canary, rest], { target: version("15.4.7") });

  test.each([
    ["without an earlier one, from what the channel serves", beginAgain(undefined), "15.4.1"],
    ["after one that ended, from its target", beginAgain(done, next), target],
    ["after one that was halted, from what that one began from", beginAgain(halted, next), from],
    ["after one that was undone, from what that one began from", beginAgain(undo(done, person), next), from],
    ["again with the same target, from what it began from", beginAgain(done), from],
  ])("%s", (_, status, wanted) => {
    expect(status.from).toEqual(served(wanted));
  });

  test("with a new target it knows nothing of the one before, but its number rises", () => {
    const status = beginAgain(halted, next);
    expect(status).toMatchObject({ target: "15.4.7", number: halted.number + 1, marks: [], byId: [], halted: undefined });
    expect(status.stages.map(({ name, state }) => `${name} ${state}`)).toEqual(["canary waiting", "rest waiting"]);
  });

  test("with the same target, what was told stays told, and stages that are done stay done", () => {
    const [stage, ...later] = moving.stages;
    const before: Status = { ...moving, paused: person, stages: [{ ...stage!, state: "done", why: "soaked" }, ...later] };
    const status = beginAgain(before, specOf([canary, { ...few, name: "some" }, rest]));
    expect(status).toMatchObject({ began: start, byId: moving.byId, paused: person });
    expect(status.stages.map(({ name, state }) => `${name} ${state}`)).toEqual(["canary done", "some waiting", "rest waiting"]);
    expect(standingOf(beginAgain(halted)).kind).toBe("halted");
    expect(standingOf(beginAgain(undo(moving, person))).kind).toBe("moving");
    expect(beginAgain(moving).stages[0]).toMatchObject({ state: "waiting", hosts: 0 });
  });

  test("with the same target, hosts that were told count in a renamed stage", () => {
    const renamed = specOf([{ ...canary, name: "early" }, few, rest]);
    const again = beginAgain(moving, renamed);
    expect(advance(renamed, again, first).stages[0]).toMatchObject({ name: "early", state: "moving", hosts: 20 });
    expect(advance(renamed, again, failing).halted).toMatchObject({ stage: "early", kind: "failed", hosts: 3 });
    const who = { host: canaries[0]!, joined: start, instance: "web1", hostname: "web1", at: now };
    expect(leave(renamed, advance(renamed, again, first), who)!.stages[0]!.hosts).toBe(19);
  });
});

describe("a person", () => {
  test("pauses it: no stage begins, but failures still halt it", () => {
    const paused = pause(moving, person);
    const proven = seen([...canaries.map((host) => moved(host, start)), ...others], start + hour);
    expect(advance(spec, paused, proven)).toBe(paused);
    expect(paused.number).toBe(moving.number + 1);
    expect(pause(paused, { ...person, who: "bob" })).toEqual(paused);
    expect(advance(spec, paused, failing).halted).toBeDefined();
  });

  test("resumes it: hosts that failed before do not count, unless they recover and fail again", () => {
    const resumed = resume(spec, pause(halted, person), failing);
    expect(standingOf(resumed).kind).toBe("moving");
    expect(resumed.stages[0]!.excused).toEqual({ failed: 3, silent: 0 });
    expect(standingOf(advance(spec, resumed, failing)).kind).toBe("moving");
    const again = resume(spec, begin(spec, { evidence: failing, from: served(from), before: halted }), failing);
    expect(standingOf(advance(spec, again, failing)).kind).toBe("moving");
    const [, ...rows] = failing.hosts;
    const healed = advance(spec, resumed, seen([moved(one!, now - hour), ...rows], now));
    expect(healed.stages[0]!.excused).toEqual({ failed: 2, silent: 0 });
    const more = well.slice(0, 3).map((host) => undone(host, now));
    const later = advance(spec, healed, seen([...failing.hosts.slice(0, 3), ...more, ...well.slice(3), ...others], now));
    expect(later.halted).toMatchObject({ hosts: 4, limit: 3 });
  });

  test("skips a stage once, by its name", () => {
    const skipped = skip(moving, "few", person)!;
    expect(skipped.stages[1]).toMatchObject({ state: "done", why: "skipped", skipped: person });
    expect(skipped.number).toBe(moving.number);
    expect(skip(skipped, "few", person)).toBeUndefined();
    expect(skip(moving, "none", person)).toBeUndefined();
  });

  test("undoes it, and then nothing changes any more", () => {
    const undone15 = undo(halted, person);
    expect(standingOf(undone15)).toEqual({ kind: "undone", by: person });
    expect(advance(spec, undone15, failing)).toBe(undone15);
    expect(undo(undone15, { ...person, who: "bob" })).toEqual(undone15);
  });

  describe("removes a host", () => {
    const [canaryHost] = canaries;
    const who = { instance: "one", hostname: "web1", at: now, joined: start };
    const leaveBy = (status: Status, host = canaryHost!, more: { readonly joined?: number } = {}): Status | undefined =>
      leave(spec, status, { ...who, host, ...more });

    test("and its stage counts one host less", () => {
      const left = leaveBy(moving)!;
      expect(left.stages.map(({ hosts }) => hosts)).toEqual([19, 0, 0]);
      expect(left.byId[0]!.hosts.map(({ id }) => id)).not.toContain(canaryHost!.id);
      expect(left.number).toBe(moving.number + 1);
      expect(left.left).toEqual([{ stage: "canary", instance: "one", hostname: "web1", at: now }]);
    });

    test("from the stage in which it was told, even if its labels have changed", () => {
      expect(leaveBy(moving, { ...canaryHost!, labels: {} })!.left[0]).toMatchObject({ stage: "canary" });
    });

    test("of a stage that selects by rank", () => {
      const ranked = specOf([rest]);
      const begunNow = advance(ranked, begun(ranked, seen(others)), seen(others));
      const left = leave(ranked, begunNow, { ...who, host: others[0]! })!;
      expect(left.stages[0]).toMatchObject({ name: "rest", hosts: 99 });
      // It is told by its rank, so proxies need not hear of it.
      expect(left.number).toBe(begunNow.number);
    });

    test("and nothing changes if no stage counts it", () => {
      expect(leaveBy(begun(spec, first))).toBeUndefined();
      expect(leaveBy(moving, others[0])).toBeUndefined();
      const untold: Status = { ...moving, byId: [] };
      expect(leaveBy(untold)!.stages[0]!.hosts).toBe(19);
      expect(leaveBy(untold, canaryHost, { joined: start + 1 })).toBeUndefined();
      expect(leaveBy(untold, { ...canaryHost!, reported: start - 2 * 86_400 })).toBeUndefined();
      expect(leaveBy(untold, { ...canaryHost!, reported: undefined })).toBeUndefined();
      expect(leave(specOf([canary]), untold, { ...who, host: others[0]! })).toBeUndefined();
    });

    test("that joined later, which is not told any more, and its stage counts as many hosts as before", () => {
      const left = leaveBy(moving, canaryHost, { joined: start + 1 })!;
      expect(left.stages[0]!.hosts).toBe(20);
      expect(left.byId[0]!.hosts).toHaveLength(19);
    });

    test("that is the last of its group, and the status names the newest twenty", () => {
      const alone = seen([canaryHost!]);
      const told = advance(spec, begun(spec, alone), alone);
      expect(leaveBy(told)!.byId).toEqual([]);
      let status = moving;
      for (const host of canaries) status = leaveBy(status, host)!;
      expect(status.stages[0]!.hosts).toBe(0);
      status = leave(spec, { ...status, byId: moving.byId }, { ...who, host: canaryHost!, hostname: "last" })!;
      expect([status.left.length, status.left.at(-1)!.hostname]).toEqual([20, "last"]);
    });
  });
});

test("a status survives its JSON", () => {
  for (const each of [moving, halted, pause(skip(moving, "few", person)!, person), undo(moving, person)]) {
    expect(decodeValue(JSON.parse(JSON.stringify(encode(shape, each))), shape, "carried")).toMatchObject({
      kind: "read",
      value: each,
    });
  }
});

describe("told in one sentence", () => {
  const told = (status: Status, evidence = first, rollout = spec): string =>
    tellRollout(rollout, status, tallyStages(rollout, status, evidence));
  const silent = well.slice(0, 2).map((host) => ({ ...host, reported: now - hour, updater: { ...updater, step: "install" } }));
  const quiet = {
    ...failing,
    hosts: [undone(one!, now), undone(two!, now), moved(three!, now - hour), ...silent, ...well.slice(2), ...others],
  };
  const proven = seen([...canaries.map((host) => moved(host, start)), ...others], now);
  const only = specOf([canary, rest]);
  const racks = specOf([{ ...canary, select: { kind: "labels", labels: { "host/rack": "a1", "host/site": "*" } } }, rest]);
  const none = specOf([{ ...canary, name: "few", select: { kind: "percent", percent: 5 } }, rest]);
  const held = seen(
    canaries.map((host, index) => ({ ...host, updater: { ...updater, held: index > 1, rejected: index < 2 ? [target] : [] } })),
  );
  const stuck = advance(only, begun(only, held), held);
  const failed = seen(
    [
      undone(canaries[0]!, now),
      { ...canaries[1]!, reported: start, updater: { ...updater, step: "install" } },
      ...canaries.slice(2).map((host) => ({ ...host, reported: now, updater: { ...updater, held: true } })),
    ],
    now,
  );
  const done: Status = { ...moving, stages: moving.stages.map((stage) => ({ ...stage, state: "done", why: "soaked" })) };

  test.each([
    ["it has not begun", told(begun(spec, first)), "canary has not begun"],
    ["it moves", told(moving), "canary is moving: 0 of 20 proven, 0 of 3 failures until it halts"],
    [
      "hosts failed and fell silent",
      told(moving, quiet),
      "canary is moving: 1 of 20 proven, 2 of 3 failures and 2 of 3 silent hosts until it halts",
    ],
    [
      "it soaks",
      told(advance(spec, moving, proven), proven),
      "canary soaks until 2024-10-04T02:00:00Z: 20 of 20 proven, 0 of 3 failures until it halts",
    ],
    [
      "it is empty",
      told(advance(only, begun(only, seen(others)), seen(others)), first, only),
      "canary selects no host, and waits to be skipped: no host of this channel has env=canary (labels of a host's own file are called host/env)",
    ],
    [
      "it is empty, by labels of hosts' own files",
      told(advance(racks, begun(racks, first), first), first, racks),
      "canary selects no host, and waits to be skipped: no host of this channel has host/rack=a1 and host/site=*",
    ],
    [
      "it is empty by its share",
      told(advance(none, begun(none, seen([])), seen([])), seen([]), none),
      "few selects no host, and waits to be skipped",
    ],
    ["it is blocked", told(stuck, held, only), "canary has no host that can move (18 held, 2 rejected), and waits to be skipped"],
    [
      "nothing is left of it",
      told(advance(spec, moving, failed), failed),
      "canary has no host that can move (1 failed, 1 silent in a move, 18 held), and waits to be skipped",
    ],
    ["it is halted", told(halted, failing), "halted in canary at 2024-10-04T01:00:00Z: 3 hosts failed, and it halts at 3"],
    [
      "it is halted by silence",
      told({ ...halted, halted: { stage: "few", kind: "silent", hosts: 1, limit: 1, at: now } }),
      "halted in few at 2024-10-04T01:00:00Z: 1 host fell silent, and it halts at 1",
    ],
    [
      "it is paused",
      told(pause(moving, person)),
      "paused by ann at 2024-10-04T01:00:00Z (to be sure): canary is moving: 0 of 20 proven, 0 of 3 failures until it halts",
    ],
    [
      "it is undone",
      told(undo(moving, { ...person, why: "" })),
      "undone by ann at 2024-10-04T01:00:00Z: hosts are told v15.4.5 again",
    ],
    ["it is done", told(done), "done: every host is told v15.4.6"],
  ])("%s", (_, sentence, wanted) => {
    expect(sentence).toBe(wanted);
  });

  test("it was removed", () => {
    const bound = (status: Status): string => tellBound("default", status);
    const until = "until `tctl rollout release default` lets the proxies' own files decide";
    expect(bound(done)).toBe(`its rollout was removed: hosts are told v15.4.6, ${until}`);
    expect(bound(undo(moving, person))).toBe(`its rollout was removed: hosts are told v15.4.5, ${until}`);
    const nothing: Status = { ...undo(moving, person), from: { kind: "none" } };
    expect(bound(nothing)).toBe(`its rollout was removed: hosts are told no version, ${until}`);
  });

  test("each stage has its row", () => {
    const soaks = skip(advance(spec, moving, proven), "few", person)!;
    const rows = stageRows(spec, tallyStages(spec, soaks, proven));
    expect(rows[0]).toMatchObject({
      name: "canary",
      state: "soaking",
      until: start + 2 * hour,
      hosts: 20,
      proven: 20,
      moving: 0,
      waiting: 0,
      inWindow: 20,
    });
    expect(rows.map((row) => row.told).slice(1)).toEqual(["few was skipped", "rest has not begun"]);
    expect(rows[2]).toMatchObject({ hosts: 94, blocked: [{ why: "silent", hosts: 94 }], until: undefined, waiting: 0 });
    const [ended] = stageRows(spec, tallyStages(spec, done, first));
    expect(ended).toMatchObject({
      told: "canary is done",
      distances: [
        { hosts: 0, limit: 3 },
        { hosts: 0, limit: 3 },
      ],
    });
    const more = { labels: { env: "canary" } };
    const clock = { ...updater, decision: { kind: "stay", why: "clock" } };
    const blockedHosts = [
      hostOf("one", { ...more, reported: start - hour }),
      hostOf("two", { ...more, updater: clock }),
      hostOf("three", { ...more, updater: undefined }),
    ];
    const reasons = stageRows(only, tallyStages(only, stuck, seen([...held.hosts, ...blockedHosts])));
    expect(reasons[0]!.blocked.map(({ why }) => why)).toEqual(["held", "rejected", "clock", "no-updater", "silent"]);
  });
});
