import * as fc from "fast-check";
import { expect, test } from "vitest";
import { advance } from "../../../src/rules/rollout/advance.ts";
import { answersBy, wordOf } from "../../../src/rules/rollout/answer.ts";
import type { HostEvidence } from "../../../src/rules/rollout/host-evidence.ts";
import { portionOf, type Share, type Spec } from "../../../src/rules/rollout/spec.ts";
import { standingOf, thresholdOf, type Status } from "../../../src/rules/rollout/status.ts";
import { pause, resume, skip } from "../../../src/rules/rollout/steer.ts";
import { tallyStages, underWayIn } from "../../../src/rules/rollout/tally.ts";
import {
  begun,
  canary,
  day,
  few,
  from,
  hostOf,
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

/** What a host may report, whatever it said before. */
const reports: readonly ((host: HostEvidence, now: number) => HostEvidence)[] = [
  (host, now) => ({ ...host, reported: now, goodbye: false, updater }),
  (host, now) => moved({ ...host, goodbye: false }, now - hour),
  (host, now) => ({ ...moved(host, now), reported: now }),
  (host, now) => undone(host, now),
  (host, now) => ({ ...host, reported: now, updater: { ...updater, step: "install" } }),
  (host, now) => ({ ...host, reported: now, goodbye: true }),
  (host, now) => ({ ...host, reported: now, updater: { ...updater, held: true } }),
  (host, now) => ({ ...host, reported: now, updater: { ...updater, decision: { kind: "stop", why: "no-space" } } }),
  (host) => host,
];

const share: fc.Arbitrary<Share> = fc.oneof(
  fc.record({ kind: fc.constant("percent" as const), percent: fc.constantFrom(1, 10, 50, 100) }),
  fc.record({ kind: fc.constant("count" as const), count: fc.constantFrom(1, 2, 5) }),
);
const spec: fc.Arbitrary<Spec> = fc
  .record({ stages: fc.subarray([canary, few]), shares: fc.tuple(share, share, share), atLeast: fc.constantFrom(1, 3, 1000) })
  .map(({ stages, shares, atLeast }) =>
    specOf(
      [...stages, rest].map((stage, index) => ({ ...stage, atOnce: shares[index]! })),
      { halt: { failed: { kind: "percent", percent: 2 }, silent: { kind: "percent", percent: 2 }, atLeast } },
    ),
  );

type Round = {
  readonly seconds: number;
  readonly says: readonly number[];
  readonly person: "nothing" | "pauses" | "resumes" | "skips";
};

const size = 30;
const round: fc.Arbitrary<Round> = fc.record({
  seconds: fc.constantFrom(600, hour, day),
  says: fc.array(fc.nat(reports.length - 1), { minLength: size, maxLength: size }),
  person: fc.oneof({ weight: 8, arbitrary: fc.constant("nothing" as const) }, fc.constantFrom("pauses", "resumes", "skips")),
});
const played = fc.record({ spec, rounds: fc.array(round, { maxLength: 12 }), canaries: fc.nat(size) });

const order = ["waiting", "moving", "soaking", "done"] as const;

function isTold(told: Spec, status: Status, host: HostEvidence): boolean {
  // A pause and a halt end; what is told then must have stayed.
  const answer = answersBy({ ...wordOf(told, status), state: "moving" });
  return answer({ installed: undefined, named: host }) !== status.from;
}

test("whatever hosts report, nothing goes backwards, and no more are told than may move at once", () => {
  fc.assert(
    fc.property(played, ({ spec: rollout, rounds, canaries }) => {
      let now = start;
      let hosts = Array.from({ length: size }, (_, index) =>
        hostOf(`host${index}`, index < canaries ? { labels: { env: "canary" } } : {}),
      );
      let status = begun(rollout, seen(hosts));
      for (const one of rounds) {
        now += one.seconds;
        hosts = hosts.map((host, index) => reports[one.says[index]!]!(host, now));
        const evidence = seen(hosts, now);
        status = steered(rollout, status, { one, hosts, now });
        const next = advance(rollout, status, evidence);
        // In any order, and each time alike.
        expect(advance(rollout, status, { ...evidence, hosts: hosts.toReversed() })).toEqual(next);
        const settled = advance(rollout, next, evidence);
        expect(advance(rollout, settled, evidence)).toBe(settled);
        expect(thresholdOf(next)).toBeGreaterThanOrEqual(thresholdOf(status));
        for (const [index, { state }] of next.stages.entries()) {
          expect(order.indexOf(state)).toBeGreaterThanOrEqual(order.indexOf(status.stages[index]!.state));
        }
        const before = hosts.filter((host) => isTold(rollout, status, host));
        expect(before.filter((host) => !isTold(rollout, next, host))).toEqual([]);
        expectPlaces(rollout, [status, next], hosts, now);
        if (standingOf(next).kind !== "moving")
          expect(hosts.filter((host) => isTold(rollout, next, host))).toHaveLength(before.length);
        expect(next.number).toBeGreaterThanOrEqual(status.number);
        status = next;
      }
    }),
  );
});

function steered(
  rollout: Spec,
  status: Status,
  { one, hosts, now }: { readonly one: Round; readonly hosts: readonly HostEvidence[]; readonly now: number },
): Status {
  const { kind } = standingOf(status);
  if (kind === "done") return status;
  switch (one.person) {
    case "nothing":
      return status;
    case "pauses":
      return pause(status, person);
    case "resumes":
      return resume(rollout, status, seen(hosts, now));
    case "skips": {
      const active = status.stages.find(({ state }) => state !== "done");
      return skip(status, active!.name, person)!;
    }
  }
}

/** Hosts that are told now take the places that `at_once` has. */
function expectPlaces(
  rollout: Spec,
  [before, after]: readonly [Status, Status],
  hosts: readonly HostEvidence[],
  now: number,
): void {
  const tallies = tallyStages(rollout, after, seen(hosts, now));
  const newly = (named: boolean): number => toldIn(after, named) - toldIn(before, named);
  for (const tally of tallies) {
    const { spec: stage, status, hasTurn } = tally;
    const isNamed = stage.select.kind === "labels";
    if (!hasTurn || status.state === "waiting" || status.state === "done" || newly(isNamed) === 0) continue;
    const counted = isNamed ? [tally] : tallies.filter((one) => one.hasTurn);
    const underWay = counted.reduce((sum, one) => sum + underWayIn(one), 0);
    expect(underWay).toBeLessThanOrEqual(portionOf(stage.atOnce, status.hosts));
  }
}

function toldIn(status: Status, named: boolean): number {
  return named ? status.byId.reduce((sum, { hosts }) => sum + hosts.length, 0) : thresholdOf(status);
}

test("an answer is the target or the version from before, and only hosts that are told get the target", () => {
  fc.assert(
    fc.property(fc.nat(size), fc.constantFrom(from, target, undefined), (index, installed) => {
      const rollout = specOf([{ ...rest, atOnce: { kind: "count", count: 5 } }]);
      const hosts = Array.from({ length: size + 1 }, (_, each) => hostOf(`host${each}`));
      const status = advance(rollout, begun(rollout, seen(hosts)), seen(hosts));
      const named = hosts[index]!;
      const answer = answersBy(wordOf(rollout, status))({ installed, named });
      const isNewer = installed === target || named.rank < thresholdOf(status);
      expect(answer).toEqual({ kind: "version", version: isNewer ? target : from });
    }),
  );
});
