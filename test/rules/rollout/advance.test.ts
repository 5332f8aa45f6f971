import { describe, expect, test } from "vitest";
import { advance } from "../../../src/rules/rollout/advance.ts";
import type { HostEvidence } from "../../../src/rules/rollout/host-evidence.ts";
import type { Spec, StageSpec } from "../../../src/rules/rollout/spec.ts";
import { mostMarks, type Status } from "../../../src/rules/rollout/status.ts";
import { skip } from "../../../src/rules/rollout/steer.ts";
import {
  begun,
  canary,
  day,
  few,
  hostOf,
  hostsOf,
  hour,
  minute,
  moved,
  person,
  rest,
  seen,
  specOf,
  start,
  undone,
  updater,
} from "./given.ts";

/** A rollout with its hosts, at one time after the other. */
class Played {
  readonly spec: Spec;
  hosts: readonly HostEvidence[];
  status: Status;

  constructor(spec: Spec, hosts: readonly HostEvidence[]) {
    this.spec = spec;
    this.hosts = hosts;
    this.status = begun(spec, seen(hosts));
    this.at(start);
  }

  at(now: number): this {
    this.hosts = this.hosts.map((host) => (host.goodbye ? host : { ...host, reported: Math.max(now, host.reported!) }));
    this.status = advance(this.spec, this.status, seen(this.hosts, now));
    return this;
  }

  /** Changes hosts that are told, the first ones by name. */
  change(count: number, changed: (host: HostEvidence) => HostEvidence): this {
    const chosen = new Set(this.told().slice(0, count));
    this.hosts = this.hosts.map((host) => (chosen.has(host.id) ? changed(host) : host));
    return this;
  }

  told(): readonly string[] {
    const named = new Set(this.status.byId.flatMap(({ hosts }) => hosts.map(({ id }) => id)));
    const below = this.status.marks.at(-1)?.below ?? 0;
    return this.hosts
      .filter(({ id, rank, updater: said }) => said?.ended === undefined && (named.has(id) || rank < below))
      .map(({ id }) => id);
  }

  stages(): readonly string[] {
    return this.status.stages.map(({ name, state, why }) => `${name} ${state === why ? state : `${state} (${why})`}`);
  }
}

const labelled = hostsOf(20, { labels: { env: "canary" } }).map((host) => ({ ...host, id: `canary-${host.id}` }));
const counted = (count: number): StageSpec => ({ ...rest, atOnce: { kind: "count", count } });

test("a good version goes from stage to stage and ends by itself", () => {
  const played = new Played(specOf(), [...labelled, ...hostsOf(100)]);
  expect(played.stages()).toEqual(["canary moving", "few waiting (turn)", "rest waiting (turn)"]);
  expect(played.told()).toHaveLength(20);
  let now = start;
  played.change(20, (host) => moved(host, now)).at((now += 40 * minute));
  expect(played.stages()).toEqual(["canary soaking", "few waiting (turn)", "rest waiting (turn)"]);
  expect(played.at((now += hour - 1)).told()).toEqual([]);
  expect(played.at((now += 1)).stages()).toEqual(["canary done (soaked)", "few moving", "rest waiting (turn)"]);
  expect(played.told()).toHaveLength(6);
  played
    .change(6, (host) => moved(host, now))
    .at((now += 40 * minute))
    .at((now += day));
  expect(played.stages()).toEqual(["canary done (soaked)", "few done (soaked)", "rest moving"]);
  for (const many of [19, 19, 19, 19, 18]) {
    expect(played.told()).toHaveLength(many);
    played.change(many, (host) => moved(host, now)).at((now += 40 * minute));
  }
  expect(played.stages()[2]).toBe("rest soaking");
  expect(played.at((now += day)).stages()[2]).toBe("rest done (soaked)");
  expect(played.at((now += day)).status).toBe(played.at(now + 1).status);
});

describe("a stage", () => {
  test("of twenty halts at its third failure, and tells nobody any more", () => {
    const played = new Played(specOf([canary, rest]), [...labelled, ...hostsOf(10)]);
    played.change(2, (host) => undone(host, start + minute)).at(start + hour);
    expect(played.status.halted).toBeUndefined();
    played.change(1, (host) => undone(host, start + hour)).at(start + hour);
    expect(played.status.halted).toEqual({ stage: "canary", kind: "failed", hosts: 3, limit: 3, at: start + hour });
    const { number } = played.status;
    played.change(17, (host) => moved(host, start)).at(start + 9 * hour);
    expect(played.stages()).toEqual(["canary moving", "rest waiting (turn)"]);
    expect(played.status.number).toBe(number);
  });

  test("of nineteen halts at its first failure, even if it is done", () => {
    const played = new Played(specOf([canary, rest]), [...labelled.slice(0, 19), ...hostsOf(10)]);
    played
      .change(19, (host) => moved(host, start))
      .at(start + hour)
      .at(start + 3 * hour);
    expect(played.stages()).toEqual(["canary done (soaked)", "rest moving"]);
    const [first, ...others] = played.hosts;
    played.hosts = [undone(first!, start + 4 * hour), ...others];
    expect(played.at(start + 3 * hour).status.halted).toMatchObject({ stage: "canary", hosts: 1, limit: 1 });
  });

  test("halts by hosts that fall silent in a move", () => {
    const played = new Played(specOf(), [...labelled, ...hostsOf(10)]);
    const moves = (host: HostEvidence) => ({ ...host, updater: { ...updater, step: "install" } });
    played.change(3, moves).at(start + minute);
    played.status = advance(played.spec, played.status, seen(played.hosts, start + hour));
    expect(played.status.halted).toMatchObject({ kind: "silent", hosts: 3, limit: 3 });
  });

  test("goes on after fewer failures than its limit", () => {
    const played = new Played(specOf([canary, rest]), [...labelled, ...hostsOf(10)]);
    played
      .change(2, (host) => undone(host, start + 1))
      .change(18, (host) => moved(host, start))
      .at(start + hour);
    expect(played.stages()).toEqual(["canary soaking", "rest waiting (turn)"]);
  });

  test("without hosts waits for a host, or for a person who skips it", () => {
    const played = new Played(specOf([canary, rest]), hostsOf(10));
    expect(played.stages()).toEqual(["canary waiting (empty)", "rest waiting (turn)"]);
    expect(played.at(start + day).told()).toEqual([]);
    const skipped = skip(played.status, "canary", person)!;
    expect(advance(played.spec, skipped, seen(played.hosts)).stages[1]).toMatchObject({ state: "moving", hosts: 10 });
    played.hosts = [...played.hosts, labelled[0]!];
    expect(played.at(start + day).stages()[0]).toBe("canary moving");
  });

  test("whose hosts are all blocked waits for one that is not, or for a person who skips it", () => {
    const held = labelled.map((host) => ({ ...host, updater: { ...updater, held: true } }));
    const played = new Played(specOf([canary, rest]), held);
    expect(played.stages()[0]).toBe("canary moving (blocked)");
    played.hosts = played.hosts.map((host, index) => (index === 0 ? { ...host, updater } : host));
    expect(played.at(start + hour).stages()[0]).toBe("canary moving");
    expect(played.told()).toHaveLength(1);
  });

  test("that begins later has the hosts that have come meanwhile", () => {
    const played = new Played(specOf([canary, few, rest]), [...labelled, ...hostsOf(20)]);
    played.change(20, (host) => moved(host, start)).at(start + 40 * minute);
    played.hosts = [...played.hosts, ...hostsOf(1000).slice(20)];
    played.at(start + 3 * hour);
    expect(played.status.stages[1]).toMatchObject({ state: "moving", hosts: 70 });
    expect(played.told()).toHaveLength(70);
  });
});

describe("`at_once`", () => {
  test("limits how many hosts are told, and a failed or blocked host takes no place", () => {
    const played = new Played(specOf([counted(2)]), hostsOf(200));
    expect(played.told()).toHaveLength(2);
    played.change(1, (host) => undone(host, start + 1)).at(start);
    expect(played.told()).toHaveLength(2);
    played.change(1, (host) => ({ ...host, updater: { ...updater, held: true } })).at(start);
    expect(played.told()).toHaveLength(3);
  });

  test("limits a stage with labels too, in the order of its hosts' ranks", () => {
    const stage: StageSpec = { ...canary, atOnce: { kind: "count", count: 5 } };
    const played = new Played(specOf([stage, rest]), labelled);
    const first = labelled.toSorted((left, right) => left.rank - right.rank).slice(0, 5);
    expect(played.told().toSorted()).toEqual(first.map(({ id }) => id).toSorted());
    expect(
      played
        .change(5, (host) => moved(host, start))
        .at(start + hour)
        .told(),
    ).toHaveLength(5);
    expect(played.status.byId.map(({ hosts }) => hosts.length)).toEqual([5, 5]);
  });

  test("limits hosts that come back together, even while their stage soaks", () => {
    const ordered = hostsOf(10).toSorted((left, right) => left.rank - right.rank);
    const away = ordered.map((host, index) => ({ ...host, goodbye: index > 1, reported: index > 1 ? start - hour : start }));
    const played = new Played(specOf([counted(2)]), away);
    played.change(2, (host) => moved(host, start)).at(start + hour);
    expect(played.stages()).toEqual(["rest soaking"]);
    played.hosts = played.hosts.map((host) => ({ ...host, goodbye: false }));
    expect(played.at(start + 2 * hour).told()).toHaveLength(2);
    expect(played.at(start + 9 * day).stages()).toEqual(["rest soaking"]);
  });

  test("a stage that was skipped leaves the hosts that it has not told to the next one", () => {
    const [one, two]: readonly StageSpec[] = [
      { ...few, select: { kind: "percent", percent: 50 }, atOnce: { kind: "count", count: 2 } },
      counted(3),
    ];
    const played = new Played(specOf([one!, two!]), hostsOf(20));
    played.status = skip(played.status, "few", person)!;
    expect(played.at(start).told()).toHaveLength(3);
  });
});

describe("what is told stays told", () => {
  test("to a host that loses its label, in the stage in which it was told", () => {
    const played = new Played(specOf([canary, rest]), [...labelled, ...hostsOf(10)]);
    played.hosts = played.hosts.map((host, index) => (index < 3 ? { ...undone(host, start + 1), labels: {} } : host));
    expect(played.at(start).status.halted).toMatchObject({ stage: "canary", hosts: 3 });
  });

  test("to a host whose stage was removed", () => {
    const played = new Played(specOf([canary, rest]), [...labelled, ...hostsOf(10)]);
    const one = specOf([rest]);
    const status = { ...played.status, stages: played.status.stages.slice(1) };
    expect(advance(one, status, seen(played.hosts)).stages[0]).toMatchObject({ hosts: 30 });
  });

  test("with few times in the status, however long the rollout takes", () => {
    const labels: StageSpec = { ...canary, atOnce: { kind: "count", count: 1 } };
    for (const [stage, hosts] of [
      [counted(1), hostsOf(60)],
      [labels, hostsOf(60, { labels: { env: "canary" } })],
    ] as const) {
      const played = new Played(specOf([stage, { ...rest, name: "more" }]), hosts);
      for (let now = start; now < start + 60 * hour; now += hour)
        played.change(1, (host) => moved(host, now)).at(now + 50 * minute);
      const { marks, byId } = played.status;
      expect(Math.max(marks.length, byId.length)).toBe(mostMarks);
      expect([...marks, ...byId].map(({ at }) => at)[0]).toBe(start);
      expect(played.status.stages[0]).toMatchObject({ state: "soaking" });
    }
  });

  test("with one time for all hosts that are told within ten minutes", () => {
    const labels: StageSpec = { ...canary, atOnce: { kind: "count", count: 1 } };
    for (const [stage, hosts] of [
      [counted(1), hostsOf(200)],
      [labels, hostsOf(200, { labels: { env: "canary" } })],
    ] as const) {
      const played = new Played(specOf([stage, { ...rest, name: "more" }]), hosts);
      for (const now of [start + 1, start + 599, start + 600]) played.change(1, (host) => undone(host, now)).at(now);
      const { marks, byId } = played.status;
      expect([...marks, ...byId].map(({ at }) => at)).toEqual([start, start + 600]);
    }
  });
});

test("a host that no stage selects counts nowhere", () => {
  const spec = specOf([canary]);
  const status = advance(spec, begun(spec, seen(labelled)), seen([...labelled, hostOf("other")]));
  expect(status.stages[0]).toMatchObject({ hosts: 20 });
});
