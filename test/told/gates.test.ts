import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MoveReason, StayReason } from "../../src/updater/plan/host-decision.ts";
import { servedBefore } from "../rules/channel/given.ts";
import { instant, missingForRoots } from "../updater/cli/given.ts";
import { packageVersion, stateWith, version } from "../updater/pass/given.ts";
import { expectGolden } from "./golden.ts";
import { hostNow, reachedInMemory } from "./in-memory.ts";
import { play } from "./play.ts";
import { now, openStage, reached, remember, seen, windowFrom, type Scene, type Stage } from "./stage.ts";

// In one process with the tests: dpkg has to own what it unpacks without a namespace in between.
const missing = process.getuid?.() === 0 ? missingForRoots() : "not root";
if (missing !== undefined) console.warn(`SKIPPED: how each reason is reached: ${missing}`);

let stage: Stage;
beforeAll(async () => {
  if (missing === undefined) stage = await openStage();
});
afterAll(() => stage?.close());

/** Far enough from a full day that a slow machine tells the same number of them. */
const threeDays = 3 * 86_400 + 3630;

const setting =
  (yaml: () => string): Scene["stage"] =>
  (root) =>
    root.write("etc/svc-upgrade/20-test.yaml", yaml());
const schedule =
  (text: () => string): Scene["stage"] =>
  (root) => {
    root.write("etc/svc-upgrade.d/schedule", text());
    // Old enough that nobody waits for the rest of it.
    utimesSync(join(root.path, "etc/svc-upgrade.d/schedule"), now() - 30, now() - 30);
  };
const serving =
  (served: string): Scene["stage"] =>
  (_root, { versions }) =>
    versions.serve({ version: served });

const notServed = {
  code: "not-offered",
  message: "no repository of this host offers svc-ent 15.4.6; they offer 15.4.5",
} as const;

const stays: Readonly<Record<StayReason, Scene>> = {
  "no-version": { stage: serving("none") },
  unconfirmed: { stage: (_root, { versions }) => versions.serve({ version: "v15.4.6", isUnconfirmed: true }) },
  current: { stage: serving("15.4.5") },
  pinned: { stage: setting(() => "pin: {version: 15.4.5, reason: audit}\n") },
  "needs-operator": {
    stage: (root) =>
      remember(root, { needsOperator: { at: now() - 3630, why: "2 repairs towards 15.4.6 did not mend the agent's package" } }),
  },
  held: { stage: setting(() => `hold: {until: "${instant(now() + threeDays)}", reason: "year-end freeze"}\n`) },
  "package-held": {
    stage: (root) =>
      root.write("var/lib/dpkg/status", root.read("var/lib/dpkg/status").replace("install ok installed", "hold ok installed")),
  },
  rejected: {
    stage: (root) =>
      remember(root, {
        rejected: [
          {
            served: version("15.4.6"),
            packageVersion: packageVersion("15.4.6"),
            at: now() - 3630,
            why: "svc.service is failed after a restart; its last lines: svc: cannot read its configuration",
          },
        ],
      }),
  },
  "backing-off": {
    stage: (root) =>
      remember(root, {
        backoff: {
          served: version("15.4.6"),
          failures: 3,
          until: now() + 2430,
          cause: {
            ...notServed,
            hint: "see that the repository with the agent's package is enabled and holds that version",
            causes: [],
          },
        },
      }),
  },
  "downgrade-refused": { stage: serving("15.4.4") },
  "major-refused": {
    stage: (root, { versions }) => {
      versions.serve({ version: "17.0.0" });
      root.write("etc/svc-upgrade/20-test.yaml", "major: one-step\n");
    },
  },
  alternating: {
    stage: (root) => {
      remember(root, { heard: servedBefore(now() - 2, ["15.4.6", "15.4.5"]) });
      root.write("etc/svc-upgrade/20-test.yaml", "downgrade: allow\n");
    },
  },
  never: { stage: schedule(() => "nop\n") },
  clock: {
    stage: (root) => remember(root, { clock: { now: now() + 90_000, sinceBootSeconds: 100, bootId: "another" } }),
  },
  blackout: {
    stage: setting(() => `blackouts: [{from: "2020-01-01", to: "${instant(now() + threeDays)}", reason: "audit"}]\n`),
  },
  "window-too-short": { stage: schedule(() => `${windowFrom(-3300)}${windowFrom(82_830)}`) },
  "outside-window": {},
  "schedule-missing": { stage: (root) => rmSync(join(root.path, "etc/svc-upgrade.d/schedule")) },
  "schedule-empty": { stage: schedule(() => "# exported by the agent\n") },
  "schedule-invalid": { stage: schedule(() => "# exported by the agent\n1795000000 1795003600\n1795086400 - 1795090000\n") },
  "schedule-stale": { stage: schedule(() => windowFrom(-8 * 86_400)) },
};

const moves: Readonly<Record<Exclude<MoveReason, "rescue">, Scene>> = {
  asked: { command: ["run", "--now"] },
  critical: { stage: (_root, { versions }) => versions.serve({ version: "15.4.6", critical: "yes" }) },
  window: { stage: schedule(() => windowFrom(-60, 5490)) },
  anytime: {
    stage: (root) => {
      rmSync(join(root.path, "etc/svc-upgrade.d/schedule"));
      root.write("etc/svc-upgrade/20-test.yaml", "unscheduled: anytime\n");
    },
  },
  rollback: {
    stage: async (root) => {
      await play(["run", "--now", "--root", root.path]);
    },
    command: ["rollback"],
  },
};

/** The scenes that show most, whole. */
const scenes: Readonly<Record<string, Scene>> = {
  moved: moves.window,
  "outside-window": stays["outside-window"],
  rejected: stays.rejected,
  "needs-operator": stays["needs-operator"],
};

describe.skipIf(missing !== undefined)("through the program is reached", () => {
  test.each(Object.entries(stays))("the reason to stay %s", async (why, scene) => {
    const decision = { kind: "stay", why };
    expect(await reached(stage, scene)).toMatchObject({
      exit: 0,
      answer: { decision, outcome: { kind: "stayed" } },
      status: { decision },
    });
  });

  test.each(Object.entries(moves))("the reason to move %s", async (why, scene) => {
    const decision = { kind: "move", why };
    expect(await reached(stage, scene)).toMatchObject({
      exit: 0,
      answer: { decision, outcome: { kind: "moved" } },
      status: { decision },
    });
  });
});

// It needs a unit that is ill, which no other root has.
test("in a pass the reason to move rescue is reached", async () => {
  const { record } = await reachedInMemory({
    host: hostNow({ schedule: { kind: "missing" }, agent: "unhealthy" }),
    state: stateWith({ agent: { bootId: "boot", restarts: 3, unhealthyPasses: 1 } }),
    asked: { when: "timer", absent: "stop" },
  });
  expect(record.decision).toMatchObject({ kind: "move", why: "rescue" });
});

describe.skipIf(missing !== undefined)("what is told of the scene", () => {
  test.each(Object.entries(scenes))("%s", async (name, scene) => expectGolden(name, await seen(stage, scene)));
});
