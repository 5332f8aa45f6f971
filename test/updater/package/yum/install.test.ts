import { describe, expect, test } from "vitest";

import type { Change, Planned } from "../../../../src/updater/package/manager/manager.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import type { RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";
import type { InstalledRow } from "../../../../src/updater/package/rpm/installed.ts";
import type { YumArguments } from "../../../../src/updater/package/yum/calls.ts";
import { install } from "../../../../src/updater/package/yum/install.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { savedEnded } from "../saved.ts";

const went: Ended = { status: 0, stdout: "", output: "\nComplete!\n" };

type Host = {
  /** The versions in rpm's database before, and what the call makes of them. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** What dnf answers to one call after the other; the last one to all that follow. */
  readonly answers?: readonly Ended[];
  readonly locks?: readonly string[];
  readonly planned?: readonly Planned[];
  /** The versions of what moves along. */
  readonly data?: readonly string[];
  readonly dataAfter?: readonly string[];
};

type Told = { readonly failure: unknown; readonly calls: readonly string[]; readonly erased: readonly string[] };

const row = (text: string, at: number): InstalledRow => {
  const [version = "", release = ""] = text.split("-");
  return { epoch: "0", version, release, architecture: "x86_64", instance: at };
};

/** rpm with the host's database, in which it can only strike instances out. */
function rpmOf(rows: (name: string) => readonly string[], erased: string[]): RpmCalls {
  return {
    act: async (args) => {
      erased.push(args.at(-1) ?? "");
      return went;
    },
    rows: async (name) => rows(name).map(row),
    ask: () => Promise.reject(new Error("not asked for here")),
    rehearse: () => Promise.reject(new Error("not asked for here")),
    judge: () => Promise.reject(new Error("not asked for here")),
    lockHolder: () => undefined,
    patience: { forMs: 4, everyMs: 1 },
  };
}

async function installOn(host: Host, change: Partial<Change> = {}): Promise<Told> {
  const calls: string[] = [];
  const erased: string[] = [];
  const answers = [...(host.answers ?? [went])];
  const act = async (args: YumArguments): Promise<Ended> => {
    calls.push(args.filter((arg) => !arg.startsWith("--setopt") && !/^(?:-[qC]|--debuglevel=0)$/.test(arg)).join(" "));
    if (args.includes("versionlock")) return went;
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? went;
  };
  const rows = (name: string): readonly string[] => {
    if (name !== "svc-ent") {
      if (calls.length > 0) return host.dataAfter ?? host.data ?? [];
      return (host.data ?? []).filter((one) => !erased.includes(`${name}-${one}.x86_64`));
    }
    return calls.length > 0 ? host.after : host.before.filter((one) => !erased.includes(`svc-ent-${one}.x86_64`));
  };
  const effects = {
    calls: {
      act,
      ask: () => Promise.reject(new Error("not asked for here")),
      repositories: async () => ({ all: [], ignored: ["dead"] }),
      program: "dnf",
    },
    waiting: { forMs: 4, everyMs: 1, rpmLockHolder: () => ({ pid: 77, program: "rpm" }) },
    rpm: rpmOf(rows, erased),
    locks: () => host.locks ?? [],
  };
  const wanted = { name: "svc-ent" as PackageName, to: "15.4.6-1" as PackageVersion, direction: "up", hold: "none", ...change };
  const failure: unknown = await install(
    effects,
    wanted as Change,
    host.planned ?? [{ name: "svc-ent", version: "15.4.6-1", architecture: undefined }],
  ).catch((thrown: unknown) => thrown);
  return { failure, calls, erased };
}

describe("an installation by dnf", () => {
  test.each([
    ["back from the one that was written last", ["15.4.6-1", "15.4.7-1"], "install", ["15.4.6-1"]],
    ["on to it", ["15.4.5-1", "15.4.6-1"], "reinstall", []],
    ["on to it from a higher one", ["15.4.7-1", "15.4.6-1"], "reinstall", ["15.4.7-1"]],
    ["to a third", ["15.4.5-1", "15.4.7-1"], "install", ["15.4.5-1"]],
    ["to the same, that is there twice", ["15.4.6-1", "15.4.6-1"], "reinstall", []],
    ["back from one that is there twice", ["15.4.6-1", "15.4.7-1", "15.4.7-1"], "install", ["15.4.6-1"]],
  ])("after a power cut, goes %s", async (_title, before, verb, erased) => {
    const told = await installOn({ before, after: ["15.4.6-1"] });
    expect(told.failure).toBeUndefined();
    expect(told.calls).toEqual([`--disablerepo=dead ${verb} svc-ent-0:15.4.6-1`]);
    expect(told.erased).toEqual(erased.map((version) => `svc-ent-${version}.x86_64`));
  });

  describe("that repairs what moved along", () => {
    const planned = ["svc-ent", "svc-ent-data"].map((name) => ({ name, version: "15.4.6-1", architecture: undefined }));
    const repair: Partial<Change> = { direction: "same", beside: ["svc-ent-data", "svc-ent-bin"] as PackageName[] };
    const whole = { before: ["15.4.6-1"], after: ["15.4.6-1"], planned, dataAfter: ["15.4.6-1"] };

    test("has a later one make way", async () => {
      const told = await installOn({ ...whole, data: ["15.4.6-1", "15.4.5-1"] }, repair);
      expect(told).toEqual({
        failure: undefined,
        calls: ["--disablerepo=dead install svc-ent-0:15.4.6-1 svc-ent-data-0:15.4.6-1"],
        erased: ["svc-ent-data-15.4.6-1.x86_64"],
      });
    });

    test("leaves what is there once to the plan", async () => {
      const told = await installOn({ ...whole, before: ["15.4.5-1", "15.4.6-1"], data: ["15.4.5-1"] }, repair);
      expect(told).toMatchObject({ failure: undefined, calls: ["--disablerepo=dead reinstall svc-ent-0:15.4.6-1"], erased: [] });
    });

    test("sees through a success that left it as it was", async () => {
      const data = ["15.4.5-1", "15.4.6-1"];
      expect((await installOn({ ...whole, data, dataAfter: data }, repair)).failure).toMatchObject({
        code: "install-failed",
        message: expect.stringMatching(/^svc-ent-data 15\.4\.6-1 was not installed.*is 15\.4\.5-1 and 15\.4\.6-1$/) as string,
      });
    });
  });

  test.each([
    ["did nothing", ["15.4.5-1"], savedEnded("yum/downgrade-same", 0), '"Nothing to do"'],
    ["left the one before, written again", ["15.4.6-1", "15.4.5-1"], went, "is 15.4.6-1 and 15.4.5-1"],
    ["left none", [], went, "installed is nothing"],
    ["ran a script that failed", ["15.4.6-1"], savedEnded("yum/install-failing-post", 0), "%post("],
  ])("sees through a success that %s", async (_title, after, answer, says) => {
    const { failure } = await installOn({ before: ["15.4.5-1"], after, answers: [answer] });
    expect(failure).toMatchObject({ code: "install-failed", message: expect.stringContaining(says) as string });
  });

  test("waits for a lock, and names its holder when the time is up", async () => {
    const locked = savedEnded("yum/lock-rpm-held", 1);
    const waited = await installOn({ before: ["15.4.5-1"], after: ["15.4.6-1"], answers: [locked, locked, went] });
    expect([waited.failure, waited.calls.length]).toEqual([undefined, 3]);
    const { failure } = await installOn({ before: ["15.4.5-1"], after: ["15.4.5-1"], answers: [locked] });
    expect(failure).toMatchObject({ code: "manager-busy", message: expect.stringContaining("process 77 (rpm)") as string });
  });
});

describe("a lifted version lock", () => {
  const locks = ["svc-ent-0:15.4.5-1.*", "!svc-ent-16.*", "other-0:1-1.*"];

  test("is put on what is there now, and only then taken from where it was", async () => {
    const { failure, calls } = await installOn({ before: ["15.4.5-1"], after: ["15.4.6-1"], locks }, { hold: "lifted" });
    expect(failure).toBeUndefined();
    expect(calls.slice(1)).toEqual([
      "--disablerepo=* versionlock add --raw svc-ent-0:15.4.6-1.*",
      "--disablerepo=* versionlock delete svc-ent-0:15.4.5-1.*",
    ]);
  });
});
