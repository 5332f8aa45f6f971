import { existsSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moveReasons, stayReasons } from "../../src/plan/reasons.ts";
import { instant, missingForRoots } from "../cli/given.ts";
import { servedBefore } from "../channel/given.ts";
import { fakeHost, packageVersion, settings, stateWith, version } from "../pass/given.ts";
import { textLog } from "../../src/host/text-log.ts";
import { runPass } from "../../src/pass/pass.ts";
import { expectGolden, goldenPath, timeless } from "./golden.ts";
import { play } from "./play.ts";
import { now, openStage, remember, statusAfter, told, usualScreen, windowFrom, type Scene, type Stage } from "./stage.ts";
import { expectTold, type Told } from "./told.ts";

// In one process with the tests: dpkg has to own what it unpacks without a namespace in between.
const missing = process.getuid?.() === 0 ? missingForRoots() : "not root";
if (missing !== undefined) console.warn(`SKIPPED: what is told of each gate: ${missing}`);

let stage: Stage;
beforeAll(async () => {
  if (missing === undefined) stage = await openStage();
}, 60_000);
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

const stays: Readonly<Record<keyof typeof stayReasons, Scene>> = {
  "no-version": { stage: serving("none") },
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
    // Six hours from the pass on: in the second of the pass they are six, and five from the next one on.
    meanwhile: () => sleep(1100),
  },
  never: { stage: schedule(() => "nop\n") },
  clock: {
    stage: (root) => remember(root, { clock: { now: now() + 90_000, sinceBootSeconds: 100, bootId: "another" } }),
    // In the same second it is another story: two readings of one moment say nothing about each other.
    meanwhile: () => sleep(1100),
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

const moves: Readonly<Record<Exclude<keyof typeof moveReasons, "rescue">, Scene>> = {
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

/** Needs a unit that is ill, which no other root has: a pass over a host in memory, and the state it leaves. */
async function toldOfRescue(): Promise<Told> {
  const { ports, lines, saved } = fakeHost({ schedule: { kind: "missing" } });
  const ill = {
    ...ports,
    readClock: () => ({ ...ports.readClock(), now: now() }),
    watchAgent: () => Promise.resolve("unhealthy" as const),
  };
  const before = stateWith({ agent: { bootId: "boot", restarts: 3, unhealthyPasses: 1 } });
  const record = await runPass({ settings: settings(), asked: { when: "timer", absent: "stop" }, state: before }, ill);
  let journal = "";
  const log = textLog({ threshold: "info", reader: "person" }, (line) => (journal += line));
  for (const { level, sentence, fields } of lines) log(level, sentence, fields);
  const roots = [stage.outdated(), stage.outdated()] as const;
  for (const root of roots) {
    rmSync(join(root.path, "etc/svc-upgrade.d/schedule"));
    root.write("var/lib/dpkg/status", root.read("var/lib/dpkg/status").replace("15.4.5", "15.4.6"));
    remember(root, { ...saved.at(-1), clock: undefined, passes: [record] });
  }
  const { words, json } = await statusAfter(stage, roots);
  return { words: [`$ journalctl -u svc-upgrade\n${timeless(journal, {})}`, ...words], json };
}

describe.skipIf(missing !== undefined)("what is told of", { timeout: 60_000 }, () => {
  test("a host before its first pass", async () => {
    expectGolden("status/usual", await usualScreen(stage));
  });

  test("the reason to move rescue", async () => {
    const said = await toldOfRescue();
    expect(said.json.status).toMatchObject({ decision: { kind: "move", why: "rescue" } });
    expectTold("move/rescue", said, stage.usual);
  });

  test.each(Object.entries(stays))("the reason to stay %s", async (why, found) => {
    const said = await told(stage, found);
    const decision = { kind: "stay", why };
    expect(said.json).toMatchObject({ answer: { decision, outcome: { kind: "stayed" } }, status: { decision } });
    expectTold(`stay/${why}`, said, stage.usual);
  });

  test.each(Object.entries(moves))("the reason to move %s", async (why, found) => {
    const said = await told(stage, found);
    const decision = { kind: "move", why };
    expect(said.json).toMatchObject({ answer: { decision, outcome: { kind: "moved" } }, status: { decision } });
    expectTold(`move/${why}`, said, stage.usual);
  });
});

describe("every reason", () => {
  test.each([...Object.keys(stayReasons).map((why) => `stay/${why}`), ...Object.keys(moveReasons).map((why) => `move/${why}`)])(
    "has its file: %s",
    (name) => {
      expect(existsSync(goldenPath(name))).toBe(true);
    },
  );
});
