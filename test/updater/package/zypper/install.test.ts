import { describe, expect, test } from "vitest";
import type { Fault } from "../../../../src/rules/fault/fault.ts";
import { isOfScript } from "../../../../src/updater/package/failure/interrupted.ts";

import { install } from "../../../../src/updater/package/zypper/install.ts";
import { refresh } from "../../../../src/updater/package/zypper/working-half.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { savedEnded } from "../saved.ts";
import { agent, change, present, stage, type Scene } from "./calls.ts";
import { row } from "../rpm/on-host.ts";

const old = present("15.4.5-1");
const up = change("15.4.6-1");
const planned = [{ name: agent, version: "15.4.6-1", architecture: undefined }];
const plan = (): ReturnType<typeof savedEnded> => savedEnded("zypper/simulate-up", 0);
const silent = (status: number) => (): ReturnType<typeof savedEnded> => ({ status, stdout: "", output: "" });

describe("an installation by zypper", () => {
  test.each([0, 102, 103])("is done with a status of %i, and not done again", async (status) => {
    const { calls, acted } = stage({ installed: [old], ask: plan, act: silent(status) });
    await install(calls, up, planned);
    expect(acted).toHaveLength(1);
    expect(acted[0]?.told).toEqual({ what: "install svc-ent=15.4.6-1", unheld: undefined });
    expect(acted[0]?.args).toEqual(expect.arrayContaining(["install", "--repo", "svc", "svc-ent=15.4.6-1"]));
  });

  test("without some repository is done where the version is there, and else left to the next pass", async () => {
    const there = stage({ installed: [old, present("15.4.6-1")], ask: plan, act: silent(106) });
    await install(there.calls, up, planned);
    const notThere = stage({ installed: [old], ask: plan, act: silent(106) });
    await expect(install(notThere.calls, up, planned)).rejects.toMatchObject({ code: "download-failed" });
    const halfThere = stage({ installed: [old, present("15.4.6-1", "half-way")], ask: plan, act: silent(106) });
    await expect(install(halfThere.calls, up, planned)).rejects.toMatchObject({ code: "download-failed" });
  });

  test("whose script failed says what is there", async () => {
    const act = (): ReturnType<typeof savedEnded> => savedEnded("zypper/install-failing-post", 107);
    const { calls } = stage({ installed: [old, { kind: "absent" }], ask: plan, act });
    await expect(install(calls, up, planned)).rejects.toMatchObject({
      code: "install-failed",
      message: expect.stringMatching(/scriptlet failed.*; svc-ent is not installed$/) as string,
    });
  });

  test("that failed is told as it is", async () => {
    const act = (): ReturnType<typeof savedEnded> => savedEnded("zypper/install-altered", 8);
    const { calls } = stage({ installed: [old], ask: plan, act });
    await expect(install(calls, up, planned)).rejects.toMatchObject({
      code: "download-failed",
      message: expect.not.stringContaining("is installed all the same") as string,
    });
  });

  test("whose script was ended is nobody's fault, and keeps what the script failed of", async () => {
    const act = (): ReturnType<typeof savedEnded> => savedEnded("zypper/install-script-killed", 107);
    const { calls } = stage({ installed: [old, present("15.4.6-1")], ask: plan, act });
    const failure: unknown = await install(calls, up, planned).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      code: "interrupted",
      message: expect.stringContaining("is installed all the same") as string,
    });
    expect(isOfScript(failure as Fault)).toBe(true);
    const crashed = stage({ installed: [old], ask: plan, act: () => savedEnded("zypper/install-script-crashed", 107) });
    await expect(install(crashed.calls, up, planned)).rejects.toMatchObject({
      code: "install-failed",
      hint: expect.stringContaining("`sudo zypper install svc-ent=15.4.6-1`") as string,
      cause: { code: "install-failed", message: expect.not.stringContaining("all the same") as string },
    });
  });

  test("waits for a plain rpm in its last seconds", async () => {
    const answers = [savedEnded("zypper/lock-rpm-held", 8), savedEnded("zypper/lock-rpm-held", 8), silent(0)()];
    const { calls, acted } = stage({ installed: [old], ask: plan, act: () => answers.shift() ?? silent(1)() });
    await install(calls, up, planned);
    expect(acted).toHaveLength(3);
  });

  test("leaves one that goes on to the next pass, and says who it is", async () => {
    const { calls, acted } = stage({ installed: [old], ask: plan, act: () => savedEnded("zypper/lock-rpm-held", 8) });
    await expect(install(calls, up, planned)).rejects.toMatchObject({
      code: "manager-busy",
      message: "zypper is locked. It is held by process 42 (rpm)",
    });
    expect(acted).toHaveLength(7);
  });

  test("that repairs strikes out what is there twice though the plan goes on to what was written last, and leaves the rest its traces", async () => {
    const erased: string[] = [];
    const rpm: Scene["rpm"] = {
      rows: async () => [row("15.4.5", 1), row("15.4.6", 2)],
      act: async (args) => {
        erased.push(args.at(-1) ?? "");
        return { status: 0, stdout: "", output: "" };
      },
    };
    const { calls } = stage({ installed: [present("15.4.6-1")], ask: plan, rpm });
    const moved = ["svc-ent-bin", "svc-ent-data"].map((name) => ({ name, version: "15.4.6-1", architecture: undefined }));
    const repair = change("15.4.6-1", { direction: "same", beside: ["svc-ent-bin"] as PackageName[] });
    await install(calls, repair, [...planned, ...moved]);
    expect(erased).toEqual(["svc-ent-bin-15.4.5-1.noarch"]);
  });

  test("goes past a hold that is to be lifted", async () => {
    const { calls, acted } = stage({ installed: [old], ask: plan });
    await install(calls, change("15.4.6-1", { hold: "lifted" }), planned);
    expect(acted[0]?.told.unheld).toBe(agent);
  });
});

describe("a refresh by zypper", () => {
  const offered = (): ReturnType<typeof savedEnded> => savedEnded("zypper/offered", 0);
  const nothing = (): ReturnType<typeof savedEnded> => savedEnded("zypper/requirers-none", 104);

  test("asks the repositories that offer the package, and no other", async () => {
    const { calls, acted } = stage({ installed: [], ask: offered });
    await refresh(calls, agent);
    expect(acted).toEqual([{ args: ["--quiet", "refresh", "svc"], told: { what: "refresh svc", unheld: undefined } }]);
  });

  test("that failed there is a fault", async () => {
    const { calls } = stage({ installed: [], ask: offered, act: () => savedEnded("zypper/dead-refresh", 4) });
    await expect(refresh(calls, agent)).rejects.toMatchObject({ code: "refresh-failed" });
  });

  test("asks all where nobody is known to offer it, and a dead one among them counts only if none does", async () => {
    const answers = [nothing(), offered()];
    const found = stage({
      installed: [],
      ask: () => answers.shift() ?? offered(),
      act: () => savedEnded("zypper/foreign-dead-refresh", 4),
    });
    await refresh(found.calls, agent);
    expect(found.acted).toEqual([
      { args: ["--quiet", "refresh"], told: { what: "refresh all package lists", unheld: undefined } },
    ]);
    const lost = stage({ installed: [], ask: nothing, act: () => savedEnded("zypper/foreign-dead-refresh", 4) });
    await expect(refresh(lost.calls, agent)).rejects.toMatchObject({ code: "refresh-failed" });
  });
});
