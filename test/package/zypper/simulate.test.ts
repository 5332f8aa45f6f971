import { describe, expect, test } from "vitest";
import type { Ended } from "../../../src/package/result.ts";
import { simulate } from "../../../src/package/zypper/simulate.ts";
import { savedEnded } from "../saved.ts";
import { agent, change, present, stage, type Scene } from "./calls.ts";

const old = present("15.4.5-1");

/** What zypper planned, and who requires what of it. */
function planned(file: string, requirers: Readonly<Record<string, string>> = {}): Scene["ask"] {
  return (args): Ended => {
    if (args.includes("--dry-run")) return savedEnded(`zypper/${file}`, 0);
    const requirer = requirers[args.at(-1) ?? ""];
    return requirer === undefined ? savedEnded("zypper/requirers-none", 104) : savedEnded(`zypper/${requirer}`, 0);
  };
}

describe("a plan of zypper's", () => {
  test.each([
    { title: "the package alone", file: "simulate-up", to: "15.4.6-1" },
    { title: "a first installation", file: "simulate-install", to: "15.4.5-1" },
    { title: "the agent's own licence", file: "simulate-licence", to: "15.4.9-1" },
  ])("may be of $title", async ({ file, to }) => {
    const { calls, asked } = stage({ installed: [old], ask: planned(file) });
    expect(await simulate(calls, change(to))).toEqual({ name: agent, to, mode: "up", aliases: ["svc"] });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ unheld: undefined });
  });

  test("may change what the new version requires, through what it brings along", async () => {
    const ask = planned("simulate-needs", { libbar: "requirers-through", midway: "requirers-direct" });
    const { calls, asked } = stage({ installed: [old], ask });
    await simulate(calls, change("19.1.0-1"));
    expect(asked.map(({ args }) => args.at(-1))).toEqual(["svc-ent=19.1.0-1", "libbar", "midway"]);
  });

  test.each([
    { title: "removes another package", file: "simulate-obsoletes", to: "16.5.0-1", says: "would remove bystander" },
    { title: "changes another one", file: "simulate-bystander", to: "16.1.0-1", says: "would change bystander, which it" },
    { title: "changes the vendor", file: "simulate-vendor", to: "15.4.8-1", says: "take svc-ent from another vendor" },
    { title: "needs another licence", file: "simulate-licence-of-another", to: "18.0.0-1", says: "the licence of libeula" },
    { title: "is empty", file: "simulate-older-without-flag", to: "15.4.5-1", says: "has lower version than the installed" },
    { title: "is required by another version", file: "simulate-needs", to: "19.0.0-1", says: "would change libbar" },
  ])("is refused where it $title", async ({ file, to, says }) => {
    const ask = planned(file, { libbar: "requirers-through", midway: "requirers-direct" });
    const { calls } = stage({ installed: [present("15.4.6-1")], ask });
    await expect(simulate(calls, change(to))).rejects.toMatchObject({
      code: "plan-refused",
      message: expect.stringContaining(says) as string,
      hint: expect.stringContaining(`svc-ent=${to}`) as string,
    });
  });

  test("is nothing where the version is there by now", async () => {
    const { calls } = stage({ installed: [present("15.4.6-1")], ask: planned("simulate-there") });
    await expect(simulate(calls, change("15.4.6-1"))).resolves.toMatchObject({ mode: "up" });
  });

  test.each(["up", "down", "same"] as const)("starts again from two versions at once, %s", async (direction) => {
    const { calls, asked } = stage({ installed: [present("15.6.2-1", "half-way")], ask: planned("duplicates-install-force") });
    expect(await simulate(calls, change("15.6.2-1", { direction }))).toMatchObject({ mode: "again" });
    expect(asked[0]?.args).toContain("--force");
  });

  test("goes past the hold of the package where it is to be lifted", async () => {
    const { calls, asked } = stage({ installed: [old], ask: planned("simulate-up") });
    await simulate(calls, change("15.4.6-1", { hold: "lifted" }));
    expect(asked[0]?.unheld).toBe(agent);
  });

  test("is made without the repositories that had to be left out", async () => {
    const { calls } = stage({ installed: [old], ask: () => savedEnded("zypper/simulate-up", 106) });
    await expect(simulate(calls, change("15.4.6-1"))).resolves.toMatchObject({ mode: "up" });
  });

  test("that zypper could not make is its fault", async () => {
    const { calls } = stage({ installed: [old], ask: () => savedEnded("zypper/simulate-unmet", 4) });
    await expect(simulate(calls, change("15.5.0-1.el9"))).rejects.toMatchObject({ code: "plan-refused" });
  });
});
