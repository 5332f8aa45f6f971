import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/updater/plan/host-decision.ts";
import type { Measured } from "../../../src/updater/metrics/measured.ts";
import { metrics, metricsText } from "../../../src/updater/metrics/updater.ts";
import { emptyState, type Outcome, type PassRecord, type State } from "../../../src/updater/record/state.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";
import type { Settings } from "../../../src/rules/settings/settings.ts";
import type { Version } from "../../../src/rules/version/version.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";
import { heardBefore, servedBefore } from "../../rules/channel/given.ts";
import { excerpt } from "../../documents.ts";
import { state as anyState } from "../record/arbitrary.ts";
import {
  backFailed,
  failed,
  fault,
  moved,
  old,
  outside,
  packaged,
  served,
  stayed,
  stuck,
  undone,
  upgrade,
} from "../record/given.ts";

const now = 1_800_000_000;
const late: Decision = { ...outside, until: now + 7200 };
const cause = fault("not-offered");
const stop: Decision = { kind: "stop", fault: cause };
const stopped: Outcome = { kind: "stopped", fault: cause };
const refresh = { step: "refresh", ms: 500 } as const;
const notOffered = failed("not-offered", "offer");

function pass(decision: Decision, outcome: Outcome, more: Partial<PassRecord> = {}): PassRecord {
  const known = { installed: old, served, channel: "default" };
  return { id: "p", startedAt: now - 600, seconds: 2, ...known, decision, outcome, steps: [], recovered: undefined, ...more };
}

const broken = pass(stop, stopped, { installed: undefined, served: undefined });

function settings(values: object): Settings {
  const merged = mergeSettings([{ origin: { kind: "file", path: "test" }, values }]);
  if (merged.kind === "faults") throw new Error(JSON.stringify(merged.faults));
  return merged.settings;
}

type Given = { readonly state?: Partial<State>; readonly values?: object; readonly schedule?: Schedule };

const windows: Schedule = {
  kind: "windows",
  windows: [
    { start: now + 90_000, stop: now + 93_600 },
    { start: now + 7200, stop: now + 10_800 },
  ],
};

function measured({ state = {}, values = {}, schedule = windows }: Given = {}): Measured {
  const seen = { schedule, modifiedAt: schedule.kind === "missing" ? undefined : now - 300 };
  return { now, release: "0.1.0", state: { ...emptyState, ...state }, settings: settings(values), schedule: seen };
}

/** All that there is to tell at once, whether or not one host would ever have it. */
const everything: Given = {
  values: { channel: "stable/cloud", hold: { until: "2027-01-16" }, pin: { version: "15.4.5" } },
  state: {
    passes: [
      pass(late, stayed),
      pass(upgrade, moved, {
        steps: [
          { step: "refresh", ms: 1234 },
          { step: "install", ms: 7000 },
        ],
      }),
    ],
    lastSuccessAt: now - 600,
    lastContact: { at: now - 599, served, isCritical: false },
    channels: heardBefore(now, "aba"),
    heard: servedBefore(now, ["15.4.6", "15.4.5", "15.4.6"]),
    silentSince: now - 500,
    needsOperator: { at: 1, why: "w" },
    rejected: [{ served, packageVersion: packaged, at: 1, why: "w" }],
    backoff: { served, cause, failures: 1, until: now + 600 },
    moveSeconds: [9, 30],
  },
};

function after(...passes: readonly PassRecord[]): Given {
  return { state: { passes } };
}

/** The samples of a metric, as they stand in the file. */
function samplesOf(name: string, given: Given): readonly string[] {
  const lines = metricsText(measured(given)).split("\n");
  return lines
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => line.slice(name.length));
}

describe("the metrics of a pass", () => {
  test("are a file in Prometheus's text format, each with its help and its type", async () => {
    await expect(metricsText(measured(everything))).toMatchFileSnapshot("updater.prom");
  });

  test("leave out what a host without any pass does not know", () => {
    const names = metricsText(measured({ schedule: { kind: "missing" } })).match(/^svc_\w+/gm);
    expect(names).toEqual([
      "svc_upgrade_info",
      "svc_upgrade_consecutive_failures",
      "svc_upgrade_needs_operator",
      "svc_upgrade_held",
      "svc_upgrade_pinned",
      "svc_upgrade_rejected_versions",
      "svc_upgrade_schedule",
    ]);
  });

  const contact = (found: Version | "none"): Partial<State> => ({ lastContact: { at: now, served: found, isCritical: false } });
  const info = (installed: string): string => `{version="0.1.0",package="svc-ent",channel="default"${installed}} 1`;

  test.each<[string, string, Given, readonly string[]]>([
    ["what is installed", "svc_upgrade_info", after(pass(late, stayed)), [info(',installed="15.4.5"')]],
    ["what it installed", "svc_upgrade_info", after(pass(upgrade, moved)), [info(',installed="15.4.6"')]],
    [
      "what it brought back",
      "svc_upgrade_info",
      after(pass(upgrade, undone("unhealthy", "health"))),
      [info(',installed="15.4.5"')],
    ],
    [
      "what it installed, where that is not well and was not taken back",
      "svc_upgrade_info",
      after(pass(upgrade, stuck("unhealthy", "health"))),
      [info(',installed="15.4.6"')],
    ],
    [
      "what was there, where the rollback failed",
      "svc_upgrade_info",
      after(pass(upgrade, stuck("unhealthy", "health", backFailed))),
      [info(',installed="15.4.5"')],
    ],
    [
      "what the pass before it found, where it broke off",
      "svc_upgrade_info",
      after(broken, pass(upgrade, moved)),
      [info(',installed="15.4.6"')],
    ],
    ["nothing of a version that is none", "svc_upgrade_info", after(pass(late, stayed, { installed: "odd" })), [info("")]],
    ["a newer version", "svc_upgrade_available", { state: { passes: [pass(late, stayed)], ...contact(served) } }, [" 1"]],
    ["the same version", "svc_upgrade_available", { state: { passes: [pass(late, stayed)], ...contact(old) } }, [" 0"]],
    ["nothing without contact", "svc_upgrade_available", after(pass(late, stayed)), []],
    ["a reason to stay", "svc_upgrade_decision", after(pass(late, stayed)), ['{kind="stay",why="outside-window"} 1']],
    ["a fault", "svc_upgrade_decision", after(pass(stop, stopped)), ['{kind="stop",why="not-offered"} 1']],
    ["no end of a move", "svc_upgrade_decision_until_timestamp_seconds", after(pass(upgrade, moved)), []],
    ["an end without fault", "svc_upgrade_outcome", after(pass(upgrade, moved)), ['{kind="moved"} 1']],
    ["a failure", "svc_upgrade_outcome", after(pass(upgrade, notOffered)), ['{kind="failed",fault="not-offered"} 1']],
    [
      "a rollback",
      "svc_upgrade_outcome",
      after(pass(upgrade, undone("unhealthy", "health"))),
      ['{kind="undone",fault="unhealthy"} 1'],
    ],
    [
      "a rollback that failed",
      "svc_upgrade_outcome",
      after(pass(upgrade, stuck("unhealthy", "health", backFailed))),
      ['{kind="failed",fault="way-back-failed"} 1'],
    ],
    ["a stop", "svc_upgrade_outcome", after(pass(stop, stopped)), ['{kind="stopped",fault="not-offered"} 1']],
    ["failures in a row", "svc_upgrade_consecutive_failures", after(broken, broken, pass(late, stayed), broken), [" 2"]],
    ["that answers alternate", "svc_upgrade_answers_alternate", { state: { channels: heardBefore(now, "aba") } }, [" 1"]],
    [
      "that versions alternate",
      "svc_upgrade_served_versions_alternate",
      { state: { heard: servedBefore(now, ["15.4.6", "15.4.5", "15.4.6"]) } },
      [" 1"],
    ],
    [
      "that the served version changed",
      "svc_upgrade_served_versions_alternate",
      { state: { heard: servedBefore(now, ["15.4.5", "15.4.6"]) } },
      [" 0"],
    ],
    ["a pin", "svc_upgrade_pinned", { values: { pin: { version: "15.4.6" } } }, [" 1"]],
    ["what is pinned", "svc_upgrade_pin_info", { values: { pin: { version: "15.4.6" } } }, ['{version="15.4.6"} 1']],
    ["no end of it", "svc_upgrade_held_until_timestamp_seconds", { values: { hold: {} } }, []],
    ["a hold that ended", "svc_upgrade_held", { values: { hold: { until: "2026-12-24" } } }, [" 0"]],
    ["no end of that", "svc_upgrade_held_until_timestamp_seconds", { values: { hold: { until: "2026-12-24" } } }, []],
    [
      "no steps of a failure",
      "svc_upgrade_last_move_step_duration_seconds",
      after(pass(upgrade, notOffered, { steps: [{ step: "offer", ms: 3 }] })),
      [],
    ],
    [
      "a step that was done twice once",
      "svc_upgrade_last_move_step_duration_seconds",
      after(pass(upgrade, moved, { steps: [refresh, refresh] })),
      ['{step="refresh"} 1'],
    ],
    ["a stale schedule", "svc_upgrade_schedule", { schedule: { kind: "stale", endedAt: now - 60 } }, ['{state="stale"} 1']],
    [
      "its end",
      "svc_upgrade_schedule_end_timestamp_seconds",
      { schedule: { kind: "stale", endedAt: now - 60 } },
      [` ${now - 60}`],
    ],
    ["no end of never", "svc_upgrade_schedule_end_timestamp_seconds", { schedule: { kind: "never" } }, []],
    ["no schedule beside a window", "svc_upgrade_schedule", { values: { window: { utc_start_hour: 3 } } }, []],
    ["nor its end", "svc_upgrade_schedule_end_timestamp_seconds", { values: { window: { utc_start_hour: 3 } } }, []],
  ])("tell %s", (_title, name, given, samples) => {
    expect(samplesOf(name, given)).toEqual(samples);
  });

  test("are of the format, and of the table, whatever the state holds", () => {
    const sample =
      /^(svc_upgrade_[a-z_]+)(?:\{([a-z]+="(?:[^"\\\n]|\\["\\n])+"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])+")*)\})? -?[0-9.e+-]+$/;
    fc.assert(
      fc.property(anyState("any"), (state) => {
        const seen: string[] = [];
        for (const line of metricsText(measured({ state })).trimEnd().split("\n")) {
          if (line.startsWith("# ")) continue;
          const [, name = "", labels = ""] = sample.exec(line) ?? [];
          const known = metrics[name]?.labels;
          for (const [label] of labels.matchAll(/[a-z]+(?==")/g)) expect(known).toContain(label);
          expect(known).toBeDefined();
          seen.push(`${name}{${labels}}`);
        }
        expect(new Set(seen).size).toBe(seen.length);
      }),
      { numRuns: 50 },
    );
  });

  test("have the labels that the documents tell", () => {
    for (const { labels, samples } of Object.values(metrics)) {
      const found = samples(measured(everything));
      expect(found).not.toEqual([]);
      for (const sample of found) expect(Object.keys(sample.labels)).toEqual(labels);
    }
  });

  test("have help of one line without a sign that would have to be escaped", () => {
    for (const { meaning } of Object.values(metrics)) expect(meaning).toMatch(/^[ -[\]-~]+$/);
  });
});

test("the documented alerts name metrics that there are", () => {
  const named = excerpt("alerts").match(/\bsvc_upgrade_\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(2);
  for (const name of named) expect(Object.keys(metrics)).toContain(name);
});
