import { describe, expect, test } from "vitest";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { activate, type ToActivate } from "../../../src/updater/unit/activate.ts";
import type { UnitJob } from "../../../src/updater/unit/journal-query.ts";
import type { RunningFile } from "../../../src/updater/unit/running-file.ts";
import type { ShownUnit } from "../../../src/updater/unit/shown.ts";
import type { Job } from "../../../src/updater/unit/job.ts";
import type { UnitControl } from "../../../src/updater/unit/systemctl.ts";
import { running } from "./given.ts";

const unit = "svc.service" as UnitName;
/** The transaction began at 1000 of the monotonic clock. */
const since = { monotonicUs: 1000, realtimeMs: 1 };

const up: ShownUnit = { ...running, startedAtUs: 500, activeSinceUs: 500 };
const upAnew: ShownUnit = { ...up, mainPid: 43, startedAtUs: 2000, activeSinceUs: 2000 };
const failed: ShownUnit = { ...up, active: "failed", sub: "failed", result: "exit-code", mainPid: 0 };
const stopped: ShownUnit = { ...up, active: "inactive", sub: "dead", mainPid: 0 };
const crashing: ShownUnit = { ...up, active: "activating", sub: "auto-restart", mainPid: 0 };

type Manager = {
  readonly now: ShownUnit;
  /** What the unit becomes by a job; unchanged unless said. */
  readonly after?: Partial<Record<Job, ShownUnit>>;
  readonly complaint?: string;
  readonly lastJob?: UnitJob;
};

/** A service manager with one unit; it writes down what it was asked to do. */
function managerOf({ now, after = {}, complaint, lastJob }: Manager): { readonly control: UnitControl; readonly did: string[] } {
  const did: string[] = [];
  let state = now;
  const control: UnitControl = {
    show: () => Promise.resolve(state),
    daemonReload: () => Promise.resolve(void did.push("daemon-reload")),
    resetFailed: () => Promise.resolve(void did.push("reset-failed")),
    change: (how) => {
      did.push(how);
      state = after[how] ?? state;
      return Promise.resolve(complaint);
    },
    lastLines: () => Promise.resolve(["svc.service: Failed with result 'exit-code'.", "svc: cannot read its configuration"]),
    lastJob: () => Promise.resolve(lastJob),
  };
  return { control, did };
}

function wanted(more: Partial<ToActivate> = {}): ToActivate {
  return { unit, how: "reload-or-restart", before: "running", since, begunBy: "this pass", ...more };
}

const runs = (file: RunningFile) => (): Promise<RunningFile> => Promise.resolve(file);

describe("activating what was installed", () => {
  test.each<{ title: string; manager: Manager; wanted?: Partial<ToActivate>; file?: RunningFile; is: string; did: string[] }>([
    {
      title: "reloads a program that executes itself again",
      manager: { now: up },
      file: "new",
      is: "reloaded",
      did: ["daemon-reload", "reload-or-restart"],
    },
    {
      title: "knows a unit without reload by its new start",
      manager: { now: up, after: { "reload-or-restart": upAnew } },
      is: "restarted",
      did: ["daemon-reload", "reload-or-restart"],
    },
    {
      title: "knows a reload that left the work to a new main process",
      manager: { now: up, after: { "reload-or-restart": { ...upAnew, activeSinceUs: 500 } } },
      is: "reloaded",
      did: ["daemon-reload", "reload-or-restart"],
    },
    {
      title: "starts what had failed, and is enabled",
      manager: { now: failed, after: { start: upAnew } },
      wanted: { before: "unhealthy" },
      is: "started",
      did: ["daemon-reload", "reset-failed", "start"],
    },
    {
      title: "leaves what had failed, and is disabled",
      manager: { now: failed },
      wanted: { before: "stopped" },
      is: "left stopped",
      did: ["daemon-reload"],
    },
    {
      title: "leaves alone a unit that was not there before, and that nobody has started",
      manager: { now: stopped },
      wanted: { before: "unknown" },
      is: "left stopped",
      did: ["daemon-reload"],
    },
    {
      title: "leaves alone what was masked and stopped meanwhile",
      manager: { now: { ...stopped, isLoaded: false, isMasked: true } },
      is: "masked meanwhile",
      did: ["daemon-reload"],
    },
    {
      title: "takes a mask for what kept it from being restarted",
      manager: {
        now: up,
        after: { restart: { ...up, isLoaded: false, isMasked: true } },
        complaint: "Unit svc.service is masked.",
      },
      wanted: { how: "restart" },
      is: "masked meanwhile",
      did: ["daemon-reload", "restart"],
    },
    {
      title: "does not hold against it that somebody stopped it in the middle of its restart",
      manager: { now: up, after: { restart: stopped }, complaint: "Job for svc.service canceled.", lastJob: "stop" },
      wanted: { how: "restart" },
      is: "stopped meanwhile",
      did: ["daemon-reload", "restart"],
    },
    {
      title: "leaves it to its socket to start the new file",
      manager: { now: { ...stopped, unitFile: "static", trigger: { unit: "svc.socket", state: "waiting", isEnabled: true } } },
      is: "waits",
      did: ["daemon-reload"],
    },
    {
      title: "restarts what is enabled itself, beside a socket",
      manager: {
        now: { ...stopped, trigger: { unit: "svc.socket", state: "waiting", isEnabled: true } },
        after: { restart: upAnew },
      },
      is: "restarted",
      did: ["daemon-reload", "restart"],
    },
    {
      title: "restarts a script of which nothing ran any more",
      manager: { now: { ...up, sub: "exited", type: "forking", mainPid: 0 }, after: { restart: upAnew } },
      wanted: { before: "unhealthy" },
      is: "restarted",
      did: ["daemon-reload", "restart"],
    },
    {
      title: "does not wait for the next try of what crashes again and again",
      manager: { now: crashing, after: { restart: upAnew } },
      wanted: { before: "unhealthy" },
      is: "restarted",
      did: ["daemon-reload", "reset-failed", "restart"],
    },
  ])("$title", async ({ manager, wanted: more, file, is, did }) => {
    const made = managerOf(manager);
    const activated = await activate({ control: made.control, runningFile: runs(file ?? "old") }, wanted(more));
    expect(activated).toBe(is);
    expect(made.did).toEqual(did);
  });

  test.each<{ file: RunningFile; begunBy: ToActivate["begunBy"]; is: string }>([
    { file: "unknown", begunBy: "this pass", is: "already runs the new file" },
    { file: "old", begunBy: "this pass", is: "restarted" },
    { file: "new", begunBy: "another pass", is: "already runs the new file" },
    { file: "unknown", begunBy: "another pass", is: "restarted" },
  ])("of a young process with a file that is $file, in a change that $begunBy began: $is", async ({ file, begunBy, is }) => {
    const { control } = managerOf({ now: upAnew, after: { restart: upAnew } });
    expect(await activate({ control, runningFile: runs(file) }, wanted({ begunBy }))).toBe(is);
  });

  test.concurrent.each<RunningFile>(["old", "unknown"])("restarts where a reload left a file that is %s", async (file) => {
    const { control, did } = managerOf({ now: up, after: { restart: upAnew } });
    expect(await activate({ control, runningFile: runs(file) }, wanted())).toBe("restarted");
    expect(did).toEqual(["daemon-reload", "reload-or-restart", "restart"]);
  });

  test("restarts where the reload itself failed", async () => {
    const { control } = managerOf({ now: up, after: { restart: upAnew }, complaint: "Job failed." });
    // The fake complains of every job; the restart's complaint is then the outcome.
    await expect(activate({ control, runningFile: runs("new") }, wanted())).rejects.toMatchObject({
      code: "activate-failed",
      message: "svc.service is active (running) after a restart: Job failed.",
    });
  });

  test("fails with what systemd said of the unit, and not with what the agent said", async () => {
    const { control } = managerOf({ now: up, after: { restart: failed } });
    await expect(activate({ control, runningFile: runs("old") }, wanted({ how: "restart" }))).rejects.toMatchObject({
      code: "activate-failed",
      message: "svc.service is failed (failed) after a restart: svc.service: Failed with result 'exit-code'.",
    });
  });
});
