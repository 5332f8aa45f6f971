import { beforeEach, describe, expect, test } from "vitest";
import type { Change, Planned } from "../../../../src/updater/package/manager/manager.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import { simulate } from "../../../../src/updater/package/yum/simulate.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { savedEnded } from "../saved.ts";
import { row } from "../rpm/on-host.ts";

const said = (text: string): Ended => ({ status: 0, stdout: text, output: text });

type Scene = {
  /** The names of what each needs, by its own name and version. */
  readonly needs: Readonly<Record<string, string>>;
  /** What installed packages require, as rpm prints it. */
  readonly requirements?: string;
  readonly locks?: readonly string[];
  readonly hold?: Change["hold"];
  /** What dnf ends with. */
  readonly status?: number;
  /** What moved along before, the versions of it in the order in which rpm wrote them down, and those that are offered. */
  readonly beside?: Readonly<Record<string, { readonly there: readonly string[]; readonly offered: readonly string[] }>>;
};

/** From 15.4.6, where dnf takes three packages down together with the wanted one. */
function down(scene: Scene): Promise<readonly Planned[]> {
  return plan({ to: "15.4.5-1", direction: "down", output: "simulate-set-down" }, scene);
}

type Asked = { readonly to: string; readonly direction: Change["direction"]; readonly output: string };

function plan(
  { to, direction, output }: Asked,
  { needs, requirements = "", locks = [], hold = "none", beside = {}, status = output === "simulate-same" ? 0 : 1 }: Scene,
): Promise<readonly Planned[]> {
  const calls = {
    program: "dnf",
    ask: async (args: readonly string[]) => {
      // "Nothing to do" is no answer of no.
      if (args.includes("--assumeno")) return savedEnded(`yum/${output}`, status);
      return said(args.flatMap((arg) => needs[arg]?.split(" ") ?? []).join("\n"));
    },
    askRpm: async () => said(requirements),
    locks: () => locks,
    rows: async (name: string) => (beside[name]?.there ?? []).map(row),
    offers: async (name: string) => (beside[name]?.offered ?? []) as readonly PackageVersion[],
  };
  return simulate(calls, {
    name: "tri" as PackageName,
    to: to as PackageVersion,
    direction,
    hold,
    beside: Object.keys(beside) as PackageName[],
  });
}

const needs = { "tri-0:15.4.5-1": "tri-bin tri-data" };
const plugged = "tri-plug\ttri\t = \ntri-plug\t/bin/sh\t\n";

describe("a plan of dnf's", () => {
  test("may take along what is needed and what is locked to it", async () => {
    const found = await down({ needs, requirements: plugged });
    expect(found.map(({ name, version }) => `${name} ${version}`)).toEqual(
      ["tri", "tri-bin", "tri-data", "tri-plug"].map((name) => `${name} 15.4.5-1`),
    );
  });

  test.each([
    { title: "through another that is locked", needs: { "tri-0:15.4.5-1": "tri-bin", "tri-plug-0:15.4.5-1": "tri-data" } },
    { title: "for each architecture", needs, requirements: "tri-plug\ttri-bin(x86-64)\t = \n" },
  ])("may take along what is locked $title", async ({ needs: needed, requirements = plugged }) => {
    expect(await down({ needs: needed, requirements })).toHaveLength(4);
  });

  test.each([
    { title: "nothing is known of", requirements: "" },
    { title: "only has a limit", requirements: "tri-plug\ttri\t < \ntri-plug\ttri\t >= \n" },
    {
      title: "is needed by nothing else",
      requirements: "",
      needed: { "tri-0:15.4.5-1": "tri-bin tri-data", "tri-plug-0:15.4.5-1": "tri-plug" },
    },
    { title: "is locked to something else", requirements: "tri-plug\tother\t = \ntri-plug\tconfig(tri)\t = \n" },
  ])("is refused where it takes along what $title", async ({ requirements, needed = needs }) => {
    await expect(down({ needs: needed, requirements })).rejects.toMatchObject({
      code: "plan-refused",
      message: "installing tri 15.4.5-1 would change tri-plug, which it does not depend on",
    });
  });

  test("is refused where what a stranger needs comes along with what is locked", async () => {
    const needed = { "tri-0:15.4.5-1": "tri-bin", "tri-data-0:15.4.5-1": "tri-data" };
    await expect(down({ needs: needed, requirements: plugged })).rejects.toThrow("would change tri-data, which it does not");
  });

  test("that fails is none, though there is nothing to do", async () => {
    const asked = { to: "15.4.6-1", direction: "same", output: "simulate-same" } as const;
    expect(await plan(asked, { needs })).toHaveLength(1);
    await expect(plan(asked, { needs, status: 1 })).rejects.toMatchObject({ code: "install-failed" });
  });

  test("may remove one of two versions that a power cut has left of what moves along", async () => {
    const asked = { to: "15.4.6-1", direction: "up", output: "simulate-set-duplicates" } as const;
    const found = await plan(asked, { needs: { "tri-0:15.4.6-1": "tri-bin tri-data" } });
    expect(found.map(({ name }) => name)).toEqual(["tri", "tri-bin", "tri-data"]);
  });

  test("does not go past the lock of what moves along, where the agent's is lifted", async () => {
    const locks = ["tri-0:15.4.6-1.*", "tri-data-0:15.4.6-1.*", "tri-bin-0:15.4.5-1.*"];
    await expect(down({ needs, requirements: plugged, locks, hold: "lifted" })).rejects.toMatchObject({
      code: "plan-refused",
      message: "installing tri 15.4.5-1 would go past the version lock of tri-data",
    });
  });
});

describe("a plan for the package alone", () => {
  const alone = (output: string, direction: Change["direction"], asked: string[]): Promise<readonly Planned[]> =>
    simulate(
      {
        program: "dnf",
        ask: async (args) => {
          asked.push(args.join(" "));
          return savedEnded(`yum/${output}`, 1);
        },
        askRpm: async () => said(""),
        locks: () => [],
        rows: async () => [],
        offers: async () => [],
      },
      { name: "svc-ent" as PackageName, to: "15.4.5-1" as PackageVersion, direction, hold: "none", beside: [] },
    );

  test.each([
    { output: "simulate-up", direction: "up" },
    { output: "simulate-reinstall", direction: "same" },
  ] as const)("is done with one question: $output", async ({ output, direction }) => {
    const asked: string[] = [];
    expect(await alone(output, direction, asked)).toEqual([{ name: "svc-ent", version: "15.4.5-1", architecture: undefined }]);
    expect(asked).toEqual(["--assumeno install svc-ent-0:15.4.5-1"]);
  });

  test("is refused where it would go back, and nobody asked for that", async () => {
    await expect(alone("simulate-down", "up", [])).rejects.toMatchObject({
      code: "plan-refused",
      message: "installing svc-ent 15.4.5-1 would go back to an older version",
      hint: expect.stringContaining("`dnf --assumeno --allowerasing install svc-ent-0:15.4.5-1`") as string,
    });
  });
});

describe("a repair", () => {
  const offered = ["15.4.6-1", "15.4.5-1"];
  const again = (scene: Partial<Scene>): Promise<readonly string[]> =>
    plan({ to: "15.4.6-1", direction: "same", output: "simulate-same" }, { needs: {}, ...scene }).then((found) =>
      found.map(({ name, version }) => `${name} ${version}`),
    );

  test.each([
    { title: "in the other one where that is not offered", there: ["1.0-1", "2.0-1"], has: ["1.0-1"], is: "1.0-1" },
    { title: "in the one that was written last where none is offered", there: ["1.0-1", "2.0-1"], has: [], is: "2.0-1" },
  ])("takes what is there twice along, $title", async ({ there, has, is }) => {
    const beside = { "tri-bin": { there, offered: has }, "tri-data": { there: ["15.4.6-1"], offered } };
    expect(await again({ beside })).toEqual(["tri 15.4.6-1", `tri-bin ${is}`]);
  });

  test("is refused where what is there twice is locked to another version", async () => {
    const beside = { "tri-bin": { there: offered, offered } };
    expect(await again({ beside, locks: ["tri-bin-0:15.4.6-1.*"] })).toHaveLength(2);
    await expect(again({ beside, locks: ["tri-bin-0:15.4.5-1.*"] })).rejects.toMatchObject({
      code: "plan-refused",
      message: "installing tri 15.4.6-1 would go past the version lock of tri-bin",
    });
  });

  test("may change what is there twice, and nothing else that it does not depend on", async () => {
    const scene = { beside: { "tri-bin": { there: offered, offered } }, needs: {} };
    const asked = { to: "15.4.6-1", direction: "same", output: "simulate-set-duplicates" } as const;
    await expect(plan(asked, scene)).rejects.toThrow("would change tri-data, which it does not depend on");
    const both = { ...scene.beside, "tri-data": { there: offered, offered } };
    expect(await plan(asked, { needs: {}, beside: both })).toHaveLength(3);
    // What dnf finds nothing to do about is brought and installed all the same.
    const more = await plan(asked, { needs: {}, beside: { ...both, "tri-plug": { there: offered, offered } } });
    expect(more.map(({ name, version }) => `${name} ${version}`)).toEqual(
      ["tri", "tri-bin", "tri-data", "tri-plug"].map((name) => `${name} 15.4.6-1`),
    );
  });
});

describe("a change for which dnf has no plan", () => {
  let asked: string[];
  beforeEach(() => void (asked = []));
  const calls = (erasing: string): Parameters<typeof simulate>[0] => ({
    program: "dnf",
    ask: async (args) => {
      asked.push(args.join(" "));
      return savedEnded(args.includes("--allowerasing") ? `yum/${erasing}` : "yum/simulate-unmet", 1);
    },
    askRpm: async () => said(""),
    locks: () => [],
    rows: async () => [],
    offers: async () => [],
  });
  const change: Change = {
    name: "svc-ent" as PackageName,
    to: "16.0.0-1" as PackageVersion,
    direction: "up",
    hold: "none",
    beside: [],
  };

  test("is refused with the names of what would have to go", async () => {
    await expect(simulate(calls("simulate-remove"), change)).rejects.toMatchObject({
      code: "plan-refused",
      message: expect.stringMatching(/^installing svc-ent 16\.0\.0-1 would remove \S/) as string,
    });
    expect(asked).toHaveLength(2);
  });

  test("is refused where its plan would remove somebody, though dnf was not told that it may", async () => {
    const removing = { ...calls("simulate-remove"), ask: async () => savedEnded("yum/simulate-remove", 1) };
    await expect(simulate(removing, change)).rejects.toMatchObject({
      code: "plan-refused",
      message: "installing svc-ent 16.0.0-1 would remove companion",
    });
  });

  test("is refused in dnf's own words where nothing that goes would help", async () => {
    await expect(simulate(calls("simulate-unmet"), change)).rejects.toMatchObject({
      code: "plan-refused",
      message: expect.not.stringContaining("would remove") as string,
    });
  });

  test("is asked for no plan with removals where another thing is wrong", async () => {
    const ask = async (args: readonly string[]): Promise<Ended> => {
      asked.push(args.join(" "));
      return savedEnded("yum/not-root", 1);
    };
    await expect(simulate({ ...calls(""), ask }, change)).rejects.toMatchObject({ code: "not-permitted" });
    expect(asked).toHaveLength(1);
  });
});
