import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mkdtempSync } from "node:fs";
import { expect, test } from "vitest";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState, type PassRecord, type State } from "../../../src/updater/record/state.ts";
import { updaterBelow, type Updater } from "../../../src/cluster/host-updater/updater.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const now = 1_800_000_000;
const version = (text: string) => parseVersion(text)!;

const quiet: PassRecord = {
  id: "two",
  startedAt: now - 60,
  seconds: 2,
  installed: "15.4.5",
  served: "15.4.6",
  decision: { kind: "stay", why: "outside-window", told: "closed", until: now + 3600, lift: undefined },
  channel: "default",
  outcome: { kind: "stayed" },
  steps: [],
  recovered: undefined,
};
const fault = { code: "unhealthy", message: "it died", hint: "look", causes: [] } as const;
const failed: PassRecord = {
  ...quiet,
  id: "one",
  startedAt: now - 660,
  seconds: 60,
  outcome: { kind: "undone", left: "15.4.6", to: "15.4.5", seconds: 50, step: "health", fault, evidence: [] },
};

type Host = { readonly root: string; readonly updater: Updater; readonly write: (path: string, text: string) => void };

function host(): Host {
  const root = mkdtempSync(join(folder, "root-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o644 });
  };
  const run = (): never => {
    throw new Error("nothing of the machine's is asked below another root");
  };
  return { root, write, updater: updaterBelow({ root, run, now: () => now }) };
}

function install(at: Host, state: State, timer: "on" | "off" = "on"): void {
  at.write("usr/lib/systemd/system/svc-upgrade.timer", "");
  const wants = join(at.root, "etc/systemd/system/timers.target.wants");
  mkdirSync(wants, { recursive: true });
  if (timer === "on") symlinkSync("/usr/lib/systemd/system/svc-upgrade.timer", join(wants, "svc-upgrade.timer"));
  at.write("var/lib/svc-upgrade-decide/state.json", encodeState(state));
}

const state: State = {
  ...emptyState,
  lastContact: { at: now - 60, served: version("15.4.6"), isCritical: false, doubt: undefined },
  rejected: [{ served: version("15.4.6"), packageVersion: "15.4.6-1" as never, build: undefined, at: now - 600, why: "it died" }],
  passes: [quiet, failed],
};

test("a host without an updater reports none", async () => {
  expect(await host().updater.describe()).toBeUndefined();
});

test("what a report says is what the updater has left", async () => {
  const at = host();
  install(at, state);
  at.write("etc/machine-id", `${"0a".repeat(16)}\n`);
  at.write("etc/svc-upgrade/10-site.yaml", "channel: stable\nhold: {until: 2027-02-01T00:00:00Z, reason: freeze}\n");
  expect(await at.updater.describe()).toEqual({
    kind: "unit",
    package: "svc-ent",
    channel: "stable",
    installed: "15.4.5",
    served: "15.4.6",
    decision: { kind: "stay", why: "outside-window", until: now + 3600 },
    looked: now - 60,
    outcome: { kind: "undone", version: "15.4.6", fault: "unhealthy", at: now - 600 },
    rejected: ["15.4.6"],
    held: true,
    held_until: Date.UTC(2027, 1) / 1000,
    window: "none",
    asks_as: expect.stringMatching(/^[0-9a-f]{32}$/),
    downgrade: "refuse",
    unhealthy: false,
  });
});

test("a timer that is off, and an updater that has never passed", async () => {
  const at = host();
  install(at, emptyState, "off");
  expect(await at.updater.describe()).toEqual({
    kind: "off",
    package: "svc-ent",
    channel: "default",
    installed: "",
    served: "",
    rejected: [],
    held: false,
    window: "none",
    asks_as: "",
    downgrade: "refuse",
    unhealthy: false,
  });
});

test("the window is a setting, the schedule that was written, or none", async () => {
  const at = host();
  install(at, emptyState);
  const windowOf = async (): Promise<string | undefined> => (await at.updater.describe())?.window;
  const schedule = { cluster: "example", hasWindow: true, openings: [{ start: now, stop: now + 3600 }] };
  mkdirSync(join(at.root, "etc/svc-upgrade.d"), { recursive: true });
  expect(await at.updater.schedule(schedule)).toBe("written");
  expect(await windowOf()).toBe("schedule");
  at.write("etc/svc-upgrade/10-site.yaml", "window: {utc_start_hour: 3}\n");
  expect(await windowOf()).toBe("setting");
  expect(await at.updater.schedule({ ...schedule, openings: [{ start: now, stop: now + 7200 }] })).toBe("written");
  at.write("etc/svc-upgrade/10-site.yaml", "agent: {schedule_file: /var/lib/acme/none/schedule}\n");
  await expect(at.updater.schedule(schedule)).rejects.toThrow("cannot be written");
  expect(await windowOf()).toBe("none");
});

test("an agent that two passes in a row found unhealthy is reported so", async () => {
  for (const [unhealthyPasses, unhealthy] of [
    [1, false],
    [2, true],
  ] as const) {
    const at = host();
    install(at, { ...state, agent: { bootId: "one", restarts: 3, unhealthyPasses } });
    expect(await at.updater.describe()).toMatchObject({ unhealthy });
  }
});

test("settings that are wrong keep nothing back but themselves", async () => {
  const at = host();
  install(at, state);
  at.write("etc/svc-upgrade/10-site.yaml", "chanel: stable\n");
  expect(await at.updater.describe()).toMatchObject({ package: "", channel: "default", installed: "15.4.5" });
});

test("no schedule is written where there is neither an updater nor a place for it", async () => {
  const at = host();
  expect(await at.updater.schedule({ cluster: "example", hasWindow: false, openings: [] })).toBe("none");
});
