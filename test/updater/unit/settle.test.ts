import { describe, expect, test } from "vitest";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { settle, type Settled } from "../../../src/updater/unit/health.ts";
import type { ShownUnit } from "../../../src/updater/unit/shown.ts";
import type { UnitJob } from "../../../src/updater/unit/journal-query.ts";
import { running, watchOf } from "./given.ts";

const up = running;
const starting: ShownUnit = { ...up, active: "activating", sub: "start" };
const reloading: ShownUnit = { ...up, active: "reloading", sub: "reload" };
const failed: ShownUnit = { ...up, active: "failed", sub: "failed", mainPid: 0 };
const dead: ShownUnit = { ...up, active: "inactive", sub: "dead", mainPid: 0 };
const ending: ShownUnit = { ...up, active: "deactivating", sub: "stop-sigterm" };
const waiting: ShownUnit = { ...up, active: "activating", sub: "auto-restart", mainPid: 0 };
const waits: ShownUnit = { ...dead, trigger: { unit: "svc.socket", state: "waiting", isEnabled: true } };
const again = (restarts: number): ShownUnit => ({ ...up, restarts });

/** One look a second, the last one for ever. */
function after(looks: readonly ShownUnit[], job: UnitJob | undefined, seconds: number): Promise<Settled> {
  const { stopwatch, atSecond } = watchOf();
  const control = {
    show: () => Promise.resolve(looks[Math.min(atSecond(), looks.length - 1)] ?? up),
    lastJob: () => Promise.resolve(job),
  };
  return settle({ control, stopwatch }, { unit: "svc.service" as UnitName, seconds, since: 0 });
}

describe("a unit that is watched for three seconds", () => {
  test.each<{ title: string; looks: readonly ShownUnit[]; job?: UnitJob }>([
    { title: "stays up", looks: [up] },
    { title: "had been restarted before", looks: [again(7)] },
    { title: "takes its time to start", looks: [starting, starting, starting, up] },
    { title: "reloads", looks: [up, reloading, reloading, up] },
    { title: "reloads at the very end", looks: [up, up, up, reloading] },
    { title: "is restarted by hand, which counts again", looks: [again(2), dead, starting, again(0)], job: "restart" },
    { title: "is restarted by hand, slowly", looks: [up, ending, ending, up], job: "stop" },
    { title: "is restarted by hand at the very end", looks: [up, up, up, starting], job: "start" },
    { title: "is down while its socket waits", looks: [waits] },
    { title: "has nothing to do, and leaves it to its socket", looks: [up, up, waits] },
    { title: "is seen between the two halves of a restart", looks: [up, dead, dead, up], job: "restart" },
  ])("is well where it $title", async ({ looks, job }) => {
    expect(await after(looks, job, 3)).toEqual({ kind: "well" });
  });

  test.each<[title: string, looks: readonly ShownUnit[], what: string, afterSeconds: number, job?: UnitJob]>([
    ["fails", [up, failed], "it went down", 2],
    ["has failed at the first look", [failed], "it went down", 1],
    ["ends by itself", [up, up, dead], "it went down", 3],
    ["ends at the very end", [up, up, up, dead], "it went down", 4],
    ["fails after its start", [starting, failed], "it went down", 2, "start"],
    ["hangs on its way down", [up, ending], "it went down", 2],
    ["is a script of which nothing is left", [up, { ...up, sub: "exited", type: "forking" }], "it went down", 2],
    ["fails although its socket waits", [up, { ...waits, active: "failed" }], "it went down", 2],
    ["is gone", [{ ...dead, isLoaded: false }], "it went down", 1],
    ["waits for its next start", [up, waiting], "it ended, and systemd is about to start it again", 1],
    ["was restarted between two looks", [up, up, again(1)], "systemd had to start it again", 2],
    ["crashes after a restart by hand", [again(5), again(0), again(1)], "systemd had to start it again", 2],
    ["never comes up", [starting], "it has not come up", 3],
    ["reloads all the time", [reloading], "it has not come up", 3],
  ])("is ill where it %s", async (_title, looks, what, afterSeconds, job) => {
    expect(await after(looks, job, 3)).toMatchObject({ kind: "ill", what, afterSeconds });
  });

  test.each<{ title: string; looks: readonly ShownUnit[]; job: UnitJob }>([
    { title: "stopped", looks: [up, ending, dead], job: "stop" },
    { title: "stopped, and fails on its way down", looks: [up, failed], job: "stop" },
    { title: "stopped, and takes its time", looks: [up, ending], job: "stop" },
    { title: "restarted, and is still down in the end", looks: [up, up, dead], job: "restart" },
  ])("says nothing of itself where somebody had it $title", async ({ looks, job }) => {
    expect(await after(looks, job, 3)).toEqual({ kind: "told" });
  });
});

test("a unit that is masked meanwhile says nothing of itself, whether it runs or not", async () => {
  expect(await after([up, { ...up, isLoaded: false, isMasked: true }], undefined, 3)).toEqual({ kind: "masked" });
  expect(await after([{ ...dead, isLoaded: false, isMasked: true }], "stop", 3)).toEqual({ kind: "masked" });
});

describe("a unit that is not watched for any time", () => {
  test.each<{ look: ShownUnit; is: Settled["kind"] }>([
    { look: up, is: "well" },
    { look: starting, is: "ill" },
    { look: failed, is: "ill" },
    { look: waiting, is: "ill" },
  ])("is $is while it is $look.sub", async ({ look, is }) => {
    expect((await after([look], undefined, 0)).kind).toBe(is);
  });
});
