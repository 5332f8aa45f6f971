import { describe, expect, test } from "vitest";
import { judge, judgingBy } from "../../../src/rules/rollout/evidence.ts";
import type { Evidence, HostEvidence, UpdaterSaid } from "../../../src/rules/rollout/host-evidence.ts";
import { namesTarget } from "../../../src/rules/rollout/names-target.ts";
import type { Status } from "../../../src/rules/rollout/status.ts";
import { pause, undo } from "../../../src/rules/rollout/steer.ts";
import { begun, from, hostOf, hour, minute, person, seen, specOf, start, target, updater } from "./given.ts";

const status = begun(specOf(), seen([]));

const told = start;
const now = start + 2 * hour;

type Said = Partial<Omit<HostEvidence, "updater">> & { readonly says?: Partial<UpdaterSaid> };
type Case = [title: string, said: Said, verdict: string, toldAt?: number | "not told"];

/** It reports now, unless it says otherwise. */
function verdict({ says, ...host }: Said, at: number | "not told", more: Partial<Evidence> = {}, by: Status = status): string {
  const judging = judgingBy(specOf(), by, { ...seen([], now), ...more });
  const evidence = hostOf("one", { reported: now, updater: { ...updater, ...says }, ...host });
  const found = judge(evidence, at === "not told" ? undefined : at, judging);
  return found.kind === "blocked" ? `blocked: ${found.why}` : found.kind;
}

const ended = (kind: string, fault?: string, at: number = start + hour): Partial<UpdaterSaid> => ({
  ended: { kind, version: target, fault, said: undefined, at },
  fault,
});
const movedAt = (at: number): Partial<UpdaterSaid> => ({ installed: target, ...ended("moved", undefined, at) });
const stays = (why: string, more: Partial<UpdaterSaid> = {}): Partial<UpdaterSaid> => ({
  decision: { kind: "stay", why },
  served: target,
  ...more,
});

test.each<Case>([
  ["it was told and waits for its window", { says: stays("outside-window") }, "waiting"],
  ["it was not told", {}, "waiting", "not told"],
  ["it has decided nothing yet", { says: { decision: undefined } }, "waiting"],
  ["it moves", { says: { step: "install", decision: { kind: "move", why: "window" } } }, "moving"],
  ["it has decided to move", { says: { decision: { kind: "move", why: "window" } } }, "waiting"],
  ["it has moved and is well for 39 minutes", { says: movedAt(now - 39 * minute) }, "moving"],
  ["it has moved and is well for 40 minutes", { says: movedAt(now - 40 * minute) }, "proven"],
  [
    "it has reported nothing since it moved 40 minutes ago",
    { says: movedAt(now - 40 * minute), reported: now - minute },
    "moving",
  ],
  ["its package is called otherwise", { says: { ...movedAt(start), installed: "5:15.4.6-1" } }, "proven"],
  ["it was there before it was told", { says: { installed: target } }, "proven", start - hour],
  ["it was there before it was told, a moment ago", { says: { installed: target } }, "moving", now - minute],
  ["it is there and was not told", { says: { installed: target } }, "proven", "not told"],
  ["proven, it was switched off", { says: movedAt(start), reported: now - hour, goodbye: true }, "proven"],
])("%s", (_, said, wanted, at = told) => {
  expect(verdict(said, at)).toBe(wanted);
});

describe("only the version's own fault is a failure", () => {
  test.each<Case>([
    ["undone, unhealthy", { says: ended("undone", "unhealthy") }, "failed"],
    ["undone, whose fault an object in Kubernetes does not say", { says: ended("undone") }, "failed"],
    ["undone, a fault of a later release", { says: ended("undone", "no-such-fault") }, "failed"],
    ["failed, unhealthy", { says: ended("failed", "unhealthy") }, "failed"],
    ["failed, and the way back failed", { says: ended("failed", "way-back-failed") }, "failed"],
    ["failed, held meanwhile", { says: { ...ended("undone", "unhealthy"), held: true } }, "failed"],
    ["failed, and silent", { says: ended("undone", "unhealthy"), reported: start + hour }, "failed"],
    [
      "undone, because the disk is full",
      { says: { ...ended("undone", "no-space"), ...stays("backing-off") } },
      "blocked: no-space",
    ],
    [
      "failed, a download",
      { says: { ...ended("failed", "download-failed"), ...stays("backing-off") } },
      "blocked: download-failed",
    ],
    [
      "failed, another version",
      { says: { ended: { kind: "undone", version: from, fault: "unhealthy", said: now, at: now } } },
      "waiting",
    ],
    [
      "failed before it was told",
      { says: { ...ended("undone", "unhealthy", start - 1), rejected: [target] } },
      "blocked: rejected",
    ],
    [
      "failed, and was not told",
      { says: { ...ended("undone", "unhealthy"), rejected: [target] } },
      "blocked: rejected",
      "not told",
    ],
    ["failed, and then moved", { says: movedAt(start + hour) }, "proven"],
  ])("%s", (_, said, wanted, at = told) => {
    expect(verdict(said, at)).toBe(wanted);
  });
});

describe("an agent that its updater finds unhealthy at the target", () => {
  const since = (late: number, more: Partial<UpdaterSaid> = {}): Said => ({
    says: { ...movedAt(start + hour), unhealthySince: start + hour + late, ...more },
  });
  test.each<Case>([
    ["just after the move", since(0), "failed"],
    ["before it was proven, and until now", since(39 * minute), "failed"],
    ["once it was proven", since(40 * minute), "proven"],
    ["before the move", since(-1), "proven"],
    ["at another version", since(0, { installed: from }), "waiting"],
    ["in the middle of a move", since(0, { step: "install" }), "moving"],
    ["there before it was told", { says: { installed: target, unhealthySince: told } }, "failed"],
    ["not told", since(0), "proven", "not told"],
  ])("%s", (_, said, wanted, at = told) => {
    expect(verdict(said, at)).toBe(wanted);
  });
});

describe("silence counts in a move or just after it", () => {
  const quiet = now - 31 * minute;
  test.each<Case>([
    ["in the middle of a move", { says: { step: "install" }, reported: quiet }, "silent"],
    ["for 30 minutes", { says: { step: "install" }, reported: now - 30 * minute }, "moving"],
    ["after a move", { says: movedAt(quiet - 10 * minute), reported: quiet }, "silent"],
    ["long after a move", { says: movedAt(quiet - 40 * minute), reported: quiet }, "proven"],
    ["there without a move", { says: { installed: target }, reported: quiet }, "blocked: silent", quiet],
    ["it said that it goes down", { says: { step: "install" }, reported: quiet, goodbye: true }, "blocked: silent"],
    ["while it waited", { reported: quiet }, "blocked: silent"],
    ["before it was told", { says: { step: "install" }, reported: told - 31 * minute }, "blocked: silent"],
    ["not told", { reported: quiet }, "blocked: silent", "not told"],
    ["it has never reported", { reported: undefined }, "blocked: silent"],
  ])("%s", (_, said, wanted, at = told) => {
    expect(verdict(said, at)).toBe(wanted);
  });

  test("time without an auth does not count", () => {
    const said = { says: { step: "install" }, reported: quiet };
    expect(verdict(said, told, { secondsSince: () => 10 * minute })).toBe("moving");
  });
});

describe("a blocked host says why", () => {
  test.each<Case>([
    ["held", { says: { held: true } }, "blocked: held"],
    ["held, not told", { says: { held: true } }, "blocked: held", "not told"],
    ["held, by its decision", { says: stays("held") }, "blocked: held"],
    ["held, moves nevertheless", { says: { held: true, step: "install" } }, "moving"],
    ["held, at the target", { says: { ...movedAt(start), held: true } }, "proven"],
    ["pinned", { says: stays("pinned", { served: from }) }, "blocked: pinned"],
    ["held by its package manager", { says: stays("package-held") }, "blocked: package-held"],
    ["waits for a person", { says: stays("needs-operator") }, "blocked: needs-operator"],
    ["a wrong clock", { says: stays("clock") }, "blocked: clock"],
    ["never", { says: stays("never") }, "blocked: no-window"],
    ["without a schedule", { says: stays("schedule-missing") }, "blocked: no-window"],
    ["rejected", { says: { rejected: [from, target] } }, "blocked: rejected"],
    ["rejected, by its decision", { says: stays("rejected") }, "blocked: rejected"],
    ["refuses a downgrade", { says: stays("downgrade-refused") }, "blocked: downgrade-refused"],
    ["refuses what was served before", { says: stays("downgrade-refused", { served: from }) }, "waiting"],
    ["refuses a major version", { says: stays("major-refused") }, "blocked: major-refused"],
    ["hears two versions in turn", { says: stays("alternating") }, "blocked: alternating"],
    ["backs off", { says: stays("backing-off") }, "blocked: backing-off"],
    ["stopped by a fault", { says: { decision: { kind: "stop", why: "manager-busy" } } }, "blocked: manager-busy"],
  ])("%s", (_, said, wanted, at = told) => {
    expect(verdict(said, at)).toBe(wanted);
  });

  test("without an updater", () => {
    const host = hostOf("one", { updater: undefined, reported: now });
    expect(judge(host, told, judgingBy(specOf(), status, seen([], now)))).toEqual({ kind: "blocked", why: "no-updater" });
  });

  test("whose id another running instance reports, whatever it says", () => {
    for (const says of [{}, movedAt(start), ended("undone", "unhealthy")])
      expect(verdict({ says, isShared: true }, told)).toBe("blocked: shared-id");
  });

  const windowsPassed: Partial<Evidence> = { twoWindowsAgo: told + 1 };
  test.each<[title: string, said: Said, verdict: string, by?: Status]>([
    ["told before two windows", {}, "blocked: late"],
    ["in the middle of a move", { says: { step: "install" } }, "blocked: late"],
    ["with a better reason", { says: { held: true } }, "blocked: held"],
    ["at the target, not proven yet", { says: movedAt(now - minute) }, "moving"],
    ["with a window of its own", { says: { window: "setting" } }, "waiting"],
    ["while nobody is told", {}, "waiting", pause(status, person)],
    ["once it was undone", {}, "waiting", undo(status, person)],
    ["told again since", {}, "waiting", { ...status, resumed: told + 1 }],
    ["told again before", {}, "blocked: late", { ...status, resumed: told }],
  ])("late: %s", (_, said, wanted, by) => {
    expect(verdict(said, told, windowsPassed, by)).toBe(wanted);
  });

  test("no host is late that was told as the first of two windows opened, or whose windows are not known", () => {
    expect(verdict({}, told, { twoWindowsAgo: told })).toBe("waiting");
    expect(verdict({}, told, { twoWindowsAgo: undefined })).toBe("waiting");
    expect(verdict({}, "not told", windowsPassed)).toBe("waiting");
  });
});

test("a version is the target in the spelling of packages and of channels", () => {
  const isTarget = namesTarget(target);
  expect(["15.4.6", "v15.4.6", "5:15.4.6-1", "15.4.6-1.el9", "15.4.6+build"].map(isTarget)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(["15.4.5", "15.4.6-rc.1", "15.4.6~rc.1-1", "", "no version"].map(isTarget)).toEqual([false, false, false, false, false]);
  for (let count = 0; count < 2000; count++) expect(isTarget(`1.0.${count}`)).toBe(false);
  expect(isTarget("15.4.6-1")).toBe(true);
});
