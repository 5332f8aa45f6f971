import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { busy, loadState, statusOf, withLocks } from "../../../src/updater/pass/pass-under-locks.ts";
import type { PassPorts } from "../../../src/updater/pass/pass.ts";
import type { PassRecord, State } from "../../../src/updater/record/state.ts";
import { takeLock } from "../../../src/updater/store/lock.ts";
import { readState, writeState } from "../../../src/updater/store/state-file.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { closedSchedule, installed, now, stateWith, version } from "./given.ts";
import { conductorBelow, type Conducted } from "./conducting.ts";
import { stepAt } from "./stage.ts";

const root = scratchFolder();
const { paths, lines, conduct: conductWith } = conductorBelow(root);

afterEach(() => {
  lines.length = 0;
  for (const name of ["etc", "var"]) rmSync(`${root}/${name}`, { recursive: true, force: true });
});

function conduct(given: Partial<Conducted> = {}): Promise<PassRecord> {
  return conductWith({ settings: "endpoint: https://proxy.test\nchannel: stable/cloud\n", ...given });
}

function leave(state: Partial<State>): void {
  for (const directory of [paths.stateDirectory, paths.rootsDirectory]) mkdirSync(directory, { recursive: true });
  writeState(paths, stateWith(state));
}

function recorded(): State {
  const reading = readState(paths);
  if (reading.kind !== "state") throw new Error(reading.kind);
  return reading.state;
}

const broken = new Fault("manager-unclear", { message: "two managers", hint: "name one" });
const cutOff = stepAt("install");

describe("a pass with all that surrounds it", () => {
  test("gives back its record, with the channel that it asked, and gives up the lock", async () => {
    const record = await conduct({ schedule: closedSchedule });
    expect(record).toMatchObject({ id: "pass-1", channel: "stable/cloud", outcome: { kind: "stayed" }, steps: [] });
    expect(recorded().passes).toEqual([record]);
    const lock = takeLock(paths, "test");
    expect(lock.kind).toBe("held");
    if (lock.kind === "held") lock.release();
  });

  test("keeps room for its record on a disk that may be full by then", async () => {
    await conduct({ schedule: closedSchedule });
    expect(readdirSync(paths.stateDirectory)).toContain(".reserve");
    expect(readdirSync(paths.rootsDirectory)).toContain(".reserve");
  });

  test("leaves what changes the host to its unit, where there is one, and its lock as well", async () => {
    const changing = { root, lock: paths.changeLock };
    await withLocks({ paths, locks: [changing.lock], doing: "retry" }, async () => {
      expect((await conduct({ schedule: closedSchedule, hasUnits: true })).outcome.kind).toBe("stayed");
      await expect(conduct({ schedule: closedSchedule })).rejects.toMatchObject({
        code: "busy",
        message: `another pass is running (process ${process.pid}, retry)`,
      });
    });
    const lock = takeLock(changing, "test");
    expect(lock.kind).toBe("held");
    if (lock.kind === "held") lock.release();
  });

  test("yields to another one and touches nothing, not even the state", async () => {
    const lock = takeLock(paths, "pass other");
    if (lock.kind !== "held") throw new Error("the lock is free");
    try {
      await expect(conduct()).rejects.toMatchObject({
        code: "busy",
        message: `another pass is running (process ${process.pid}, pass other)`,
      });
      expect(readdirSync(paths.stateDirectory)).toEqual(["lock"]);
    } finally {
      lock.release();
    }
  });

  test("records that its settings were wrong, and gives up the lock", async () => {
    await expect(conduct({ settings: "major: some\n" })).rejects.toMatchObject({ code: "settings-invalid" });
    const fault = expect.objectContaining({ code: "settings-invalid" }) as object;
    const nothing = { installed: undefined, served: undefined, channel: undefined, recovered: undefined, unanswered: undefined };
    expect(recorded().passes).toEqual([
      {
        ...nothing,
        id: "pass-1",
        startedAt: now,
        seconds: 0,
        decision: { kind: "stop", fault },
        outcome: { kind: "stopped", fault },
        steps: [],
      },
    ]);
    await conduct({ schedule: closedSchedule });
    expect(recorded().passes).toHaveLength(2);
  });

  test("records what breaks it off while it looks, and a thing that is no fault as a bug of ours", async () => {
    const rejecting = (thrown: Error) => (ports: PassPorts) => ({ ...ports, findManager: () => Promise.reject(thrown) });
    await expect(conduct({ change: rejecting(broken) })).rejects.toBe(broken);
    await expect(conduct({ change: rejecting(new TypeError("odd")) })).rejects.toThrow("odd");
    expect(recorded().passes.map(({ outcome }) => outcome)).toMatchObject([
      { kind: "stopped", fault: { code: "bug" } },
      { kind: "stopped", fault: { code: "manager-unclear" } },
    ]);
  });

  test("leaves what did not finish to the next pass where it breaks off itself, and counts that it tried", async () => {
    const change = (ports: PassPorts): PassPorts => ({ ...ports, findManager: () => Promise.reject(broken) });
    leave({ step: cutOff });
    for (const recoveries of [1, 2]) {
      await expect(conduct({ change })).rejects.toBe(broken);
      expect(recorded().step).toEqual({ ...cutOff, recoveries });
      expect(recorded().passes).toHaveLength(recoveries);
    }
  });

  test("leaves what did not finish to the next pass where its settings are wrong, and it gets no look at all", async () => {
    leave({ step: cutOff });
    await expect(conduct({ settings: "major: some\n" })).rejects.toMatchObject({ code: "settings-invalid" });
    expect(recorded().step).toEqual(cutOff);
  });

  describe("whose settings are wrong while a move is in hand", () => {
    const isDone = (manager: string, pass = "old"): void => {
      leave({ step: cutOff });
      const values = { endpoint: "https://proxy.test", channel: "stable/cloud", manager };
      writeFileSync(paths.begunSettings, JSON.stringify({ schema: 1, pass, values }), { mode: 0o600 });
    };
    const wrong = { settings: "major: some\n", installed: installed("15.4.6") };

    test("ends that with the settings that it began with, and then says what is wrong", async () => {
      isDone("auto");
      await expect(conduct(wrong)).rejects.toMatchObject({ code: "settings-invalid" });
      expect(recorded()).toMatchObject({ step: undefined, recovered: { step: "install", ended: "finished" } });
      expect(lines[0]).toMatchObject({
        level: "warning",
        sentence: "the settings cannot be read; the move in hand is ended with those that it began with",
      });
    });

    test.each([
      ["another move began with", "auto", "another"],
      ["no release would have written", "none of these", "old"],
    ])("leaves it in hand rather than use settings that %s", async (_, manager, pass) => {
      isDone(manager, pass);
      await expect(conduct(wrong)).rejects.toMatchObject({ code: "settings-invalid" });
      expect(recorded().step).toEqual(cutOff);
    });

    test("leaves it in hand where others could have written those", async () => {
      isDone("auto");
      linkSync(paths.begunSettings, `${paths.begunSettings}.link`);
      await expect(conduct(wrong)).rejects.toMatchObject({ code: "settings-invalid" });
      expect(recorded().step).toEqual(cutOff);
    });
  });

  test("tells what broke it off even where that cannot be recorded", async () => {
    const change = (ports: PassPorts): PassPorts => ({
      ...ports,
      findManager() {
        rmSync(paths.stateDirectory, { recursive: true });
        writeFileSync(paths.stateDirectory, "in the way");
        return Promise.reject(broken);
      },
    });
    await expect(conduct({ change })).rejects.toBe(broken);
    expect(lines.at(-1)).toMatchObject({ level: "warning", sentence: "the end of this pass could not be recorded" });
  });

  test("keeps waiting for a person who has to look at an unreadable state, though it broke off itself", async () => {
    leave({});
    writeFileSync(paths.state, "spoilt");
    await expect(conduct({ settings: "major: some\n" })).rejects.toMatchObject({ code: "settings-invalid" });
    expect(recorded().needsOperator?.why).toContain("the state file was unreadable");
  });

  test.runIf(process.getuid?.() === 0)("touches no state that its user may not read", () => {
    leave({});
    chmodSync(paths.state, 0o600);
    for (const path of [root, `${root}/var`, `${root}/var/lib`, paths.stateDirectory]) chmodSync(path, 0o755);
    const log = (): never => {
      throw new Error("there is nothing to tell");
    };
    process.seteuid?.(65_534);
    try {
      expect(() => loadState(paths, now, log)).toThrow(
        expect.objectContaining({ code: "not-permitted", message: `${paths.state} may not be read by this user` }),
      );
    } finally {
      process.seteuid?.(0);
    }
  });

  test("puts an unreadable state aside and waits for a person", async () => {
    mkdirSync(paths.stateDirectory, { recursive: true });
    writeFileSync(paths.state, '{"schema": 9}');
    const { decision } = await conduct();
    expect(decision).toMatchObject({ kind: "stay", why: "needs-operator" });
    const aside = `${paths.state}.unreadable-${now}`;
    expect(readFileSync(aside, "utf8")).toBe('{"schema": 9}');
    expect(recorded().needsOperator?.why).toContain(`lies now at ${aside}`);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "warning",
        fields: { fault: "state-unreadable" },
        sentence: recorded().needsOperator?.why,
      }),
    );
  });
});

const full = { code: "no-space", message: "full", hint: "make room", causes: [] } as const;
const cause = { step: "install", fault: { ...full, code: "install-failed" }, evidence: [] } as const;
const undone = { kind: "undone", left: "2", to: "1", seconds: 1, ...cause } as const;
const back = { kind: "not-tried", why: "its package is not at hand" } as const;
const recovered = { step: "install", served: version("15.4.6"), ended: "undone" } as const;

test.each([
  ["0 where it stayed", { kind: "stayed" }, undefined, 0],
  ["its fault's where it was stopped", { kind: "stopped", fault: full }, undefined, 75],
  ["its fault's where it failed", { kind: "failed", back: undefined, ...cause }, undefined, 11],
  ["10 where it was undone", undone, undefined, 10],
  ["10 where it undid what another had begun", { kind: "stayed" }, recovered, 10],
  ["0 where it undid that and moved on", { kind: "moved", from: undefined, to: "1", seconds: 1 }, recovered, 0],
  ["its fault's where that may pass", { kind: "failed", back: undefined, ...cause, fault: full }, undefined, 75],
  [
    "11 where what is left half done would else be tried again",
    { kind: "failed", step: "install", fault: full, evidence: [], back },
    undefined,
    11,
  ],
  ["its fault's where it undid that and was stopped", { kind: "stopped", fault: full }, recovered, 75],
] as const)("the status of a pass is %s", (_title, outcome, done, status) => {
  expect(statusOf({ outcome, recovered: done })).toBe(status);
});

test("the status of a repair that waits while the server is silent is the silence's", () => {
  const unanswered = { ...full, code: "contact-lost" } as const;
  expect(statusOf({ outcome: { kind: "stayed" }, recovered: undefined, unanswered })).toBe(69);
  expect(statusOf({ outcome: { kind: "moved", from: "1", to: "1", seconds: 1 }, recovered: undefined, unanswered })).toBe(0);
});

test("whoever holds the lock is named, where that is known", () => {
  expect(busy({ pid: 7, doing: "pass x" }).message).toBe("another pass is running (process 7, pass x)");
  expect(busy(undefined).message).toBe("another pass is running");
});
