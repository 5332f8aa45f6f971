import { describe, expect, test } from "vitest";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import { plannedBy, simulate } from "../../../../src/updater/package/zypper/simulate.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { savedEnded } from "../saved.ts";
import { agent, change, present, stage, type Scene } from "./calls.ts";
import { row } from "../rpm/on-host.ts";

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
  test("may be of the agent's own licence", async () => {
    const { calls, asked } = stage({ installed: [old], ask: planned("simulate-licence") });
    expect(await simulate(calls, change("15.4.9-1"))).toEqual({
      name: agent,
      to: "15.4.9-1",
      mode: "up",
      aliases: ["svc"],
      along: [],
    });
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
    { title: "changes the vendor", file: "simulate-vendor", to: "15.4.8-1", says: "take svc-ent from another vendor" },
    { title: "needs another licence", file: "simulate-licence-of-another", to: "18.0.0-1", says: "the licence of libeula" },
    { title: "is empty", file: "simulate-older-without-flag", to: "15.4.5-1", says: "has lower version than the installed" },
  ])("is refused where it $title", async ({ file, to, says }) => {
    const ask = planned(file, { libbar: "requirers-through", midway: "requirers-direct" });
    const rpm = { ask: async (): Promise<Ended> => ({ status: 0, stdout: "bystander\tsvc-ent\t >= \n", output: "" }) };
    const { calls } = stage({ installed: [present("15.4.6-1")], ask, rpm });
    await expect(simulate(calls, change(to))).rejects.toMatchObject({
      code: "plan-refused",
      message: expect.stringContaining(says) as string,
      hint: expect.stringContaining(`svc-ent=${to}`) as string,
    });
  });

  describe("of a set", () => {
    const tri = "tri" as PackageName;
    const down = { ...change("15.4.5-1", { direction: "down" }), name: tri };
    const requirers = { "tri-bin": "requirers-set", "tri-data": "requirers-set" };
    const locked = (order: string): NonNullable<Scene["rpm"]> => ({
      ask: async () => ({ status: 0, stdout: `tri-plug\ttri\t ${order} \n`, output: "" }),
    });

    test("may take down what is needed and what is locked to it", async () => {
      const { calls, asked } = stage({ installed: [old], ask: planned("simulate-set-down", requirers), rpm: locked("=") });
      expect(await simulate(calls, down)).toMatchObject({ mode: "down" });
      expect(asked[0]?.args).toEqual(expect.arrayContaining(["--oldpackage", "--allow-downgrade"]));
    });

    const table = (name: string, version: string): Ended => {
      const { stdout } = savedEnded("zypper/requirers-set", 0);
      return { status: 0, stdout: stdout.replaceAll("tri ", `${name} `).replaceAll("15.4.5-1", version), output: "" };
    };
    const required =
      (tables: Readonly<Record<string, Ended>>): Scene["ask"] =>
      (args) =>
        tables[args.at(-1) ?? ""] ?? planned("simulate-set-down", requirers)(args);

    test("may take down what is needed by what is locked to it, and by nothing else", async () => {
      const ask = required({ "tri-data": table("tri-plug", "15.4.5-1") });
      await expect(simulate(stage({ installed: [old], ask, rpm: locked("=") }).calls, down)).resolves.toMatchObject({
        mode: "down",
      });
      const limited = stage({ installed: [old], ask, rpm: locked(">=") });
      await expect(simulate(limited.calls, down)).rejects.toThrow("would change tri-data, tri-plug, which it does not depend on");
    });

    test("is refused where it takes along what another version of the package needs, though what is locked needs the package", async () => {
      const ask = required({ "tri-data": table("tri", "15.4.9-9"), tri: table("tri-plug", "15.4.5-1") });
      await expect(simulate(stage({ installed: [old], ask, rpm: locked("=") }).calls, down)).rejects.toThrow(
        "would change tri-data, which it does not depend on",
      );
    });

    test("is refused where only packages that need one another come along", async () => {
      const ask = required({ "tri-data": table("tri-bin", "15.4.5-1"), "tri-bin": table("tri-data", "15.4.5-1") });
      await expect(simulate(stage({ installed: [old], ask, rpm: locked("=") }).calls, down)).rejects.toThrow(
        "would change tri-bin, tri-data, which it does not depend on",
      );
    });

    test("is refused where it is needed only through what does not come along", async () => {
      const ask = required({ "tri-data": table("outsider", "15.4.5-1"), outsider: table("tri", "15.4.5-1") });
      await expect(simulate(stage({ installed: [old], ask, rpm: locked("=") }).calls, down)).rejects.toThrow(
        "would change tri-data, ",
      );
    });

    test("is refused where it takes along what only has a limit, or what zypper may not let go", async () => {
      const limited = stage({ installed: [old], ask: planned("simulate-set-down", requirers), rpm: locked(">=") });
      await expect(simulate(limited.calls, down)).rejects.toMatchObject({
        code: "plan-refused",
        message: "installing tri 15.4.5-1 would change tri-plug, which it does not depend on",
      });
      const ask = (): Ended => savedEnded("zypper/simulate-set-not-allowed", 4);
      await expect(simulate(stage({ installed: [old], ask }).calls, down)).rejects.toMatchObject({ code: "plan-refused" });
    });

    test("may remove one of two versions that a power cut has left of what moves along", async () => {
      const { calls } = stage({ installed: [old], ask: planned("simulate-set-duplicates", requirers) });
      expect(await simulate(calls, { ...change("15.4.6-1"), name: tri })).toMatchObject({ mode: "up" });
    });
  });

  test("is refused where there is that version, half-way and zypper finds nothing to do", async () => {
    const { calls } = stage({ installed: [present("15.4.6-1", "half-way")], ask: planned("simulate-there") });
    await expect(simulate(calls, change("15.4.6-1"))).rejects.toMatchObject({
      code: "plan-refused",
      message: expect.stringContaining("zypper finds nothing to do to install svc-ent 15.4.6-1") as string,
      hint: expect.stringMatching(/^see what it says by hand: `sudo zypper install (?:--force )?svc-ent=15\.4\.6-1`$/) as string,
    });
  });

  test.each([
    { direction: "same", mode: "again", flags: ["--force"] },
    { direction: "down", mode: "down again", flags: ["--force", "--allow-downgrade"] },
  ] as const)("starts again from two versions at once, $direction", async ({ direction, mode, flags }) => {
    const { calls, asked } = stage({ installed: [present("15.6.2-1", "half-way")], ask: planned("duplicates-install-force") });
    expect(await simulate(calls, change("15.6.2-1", { direction }))).toMatchObject({ mode });
    expect(asked[0]?.args).toEqual(expect.arrayContaining([...flags]));
  });

  test.each([
    [102, "is to be restarted afterwards"],
    [103, "has zypper itself restarted afterwards"],
    [106, "has to do without some repository"],
  ])("is one where the host %i: %s", async (status) => {
    const { calls } = stage({ installed: [old], ask: () => savedEnded("zypper/simulate-up", status) });
    await expect(simulate(calls, change("15.4.6-1"))).resolves.toMatchObject({ mode: "up" });
  });
});

describe("a repair by zypper", () => {
  const besides = ["svc-ent-bin", "svc-ent-data"] as PackageName[];
  const repair = change("15.4.6-1", { direction: "same", beside: besides });
  const versions = ["15.4.6", "15.4.5"];
  const rpm: Scene["rpm"] = {
    rows: async (name) => (name === "svc-ent-bin" ? versions : versions.slice(0, 1)).map(row),
  };
  const said = (sentence: string, ...names: readonly string[]): Scene["ask"] => {
    const stdout = `The following packages are going to be ${sentence}:\n  ${names.join(" ")}\n\n`;
    return (args) => ({ status: args.includes("search") ? 104 : 0, stdout: args.includes("search") ? "" : stdout, output: "" });
  };
  const installed = [present("15.4.6-1")];

  test("takes along what is there twice, and names it", async () => {
    const { calls, asked } = stage({ installed, ask: said("upgraded", agent, "svc-ent-bin"), rpm });
    expect((await plannedBy(calls, repair)).map(({ name, version }) => `${name}=${version}`)).toEqual([
      "svc-ent=15.4.6-1",
      "svc-ent-bin=15.4.6-1",
    ]);
    expect(asked.map(({ args }) => args.slice(-2))).toEqual([["svc-ent=15.4.6-1", "svc-ent-bin=15.4.6-1"]]);
  });

  test.each([
    { title: "in the version written last, where that is offered", offered: ["2.0-1", "1.0-1"], is: "2.0-1" },
    { title: "in the other, where that alone is offered", offered: ["1.0-1"], is: "1.0-1" },
  ])("takes along what has versions of its own $title", async ({ offered, is }) => {
    const plan = said("upgraded", agent, "svc-ent-bin");
    const table = offered.map((version) => `v  | svc-ent-bin | package | ${version} | noarch | Lab svc\n`).join("");
    const ask: Scene["ask"] = (args) => (args.includes("search") ? { status: 0, stdout: table, output: table } : plan(args));
    const own: Scene["rpm"] = { rows: async (name) => (name === "svc-ent-bin" ? ["1.0", "2.0"] : ["15.4.6"]).map(row) };
    const { calls } = stage({ installed, ask, rpm: own });
    expect((await plannedBy(calls, repair))[1]).toEqual({ name: "svc-ent-bin", version: is, architecture: undefined });
  });

  test("brings what was asked for in the version that was asked for, whatever else the plan tells of it", async () => {
    const details = "The following packages are going to be upgraded:\n  svc-ent  9-9\n  svc-ent-bin  9-9\n  libnew  1.0-1\n\n";
    const plan = said("upgraded", agent, "svc-ent-bin");
    const ask: Scene["ask"] = (args) => {
      if (args.includes("--details"))
        return { status: args.includes("search") ? 104 : 0, stdout: args.includes("search") ? "" : details, output: "" };
      const { stdout } = plan(args);
      return { status: 0, stdout: `${stdout}The following NEW package is going to be installed:\n  libnew\n\n`, output: "" };
    };
    const { calls } = stage({ installed, ask, rpm });
    expect((await plannedBy(calls, repair)).map(({ name, version }) => `${name}=${version}`)).toEqual([
      "svc-ent=15.4.6-1",
      "svc-ent-bin=15.4.6-1",
      "libnew=1.0-1",
    ]);
  });

  test("is refused where that is held, or where something else would be changed", async () => {
    const held = stage({ installed: [present("15.4.6-1", "whole", "held")], ask: said("upgraded", agent), rpm });
    await expect(plannedBy(held.calls, repair)).rejects.toMatchObject({
      code: "plan-refused",
      message: "installing svc-ent 15.4.6-1 would go past the lock of svc-ent-bin",
    });
    const askRpm = async (): Promise<Ended> => ({ status: 0, stdout: "", output: "" });
    const other = stage({ installed, ask: said("upgraded", "svc-ent-bin", "svc-ent-data"), rpm: { ...rpm, ask: askRpm } });
    await expect(plannedBy(other.calls, repair)).rejects.toThrow("would change svc-ent-data, which it does not depend on");
  });
});
