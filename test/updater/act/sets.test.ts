import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { FileSet, Planned, WantedFile } from "../../../src/updater/package/manager/manager.ts";
import type { KeptSet, OpenMove } from "../../../src/updater/record/ledger.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { readLedger } from "../../../src/updater/store/ledger-file.ts";
import { installed } from "../pass/given.ts";
import { a, absent, agent, b, c, data, extra, libs, scene, type Scene } from "./acting-host.ts";

function takes(...named: readonly PackageName[]): Planned[] {
  return named.map((name) => ({ name, version: b, architecture: "all" }));
}

/** At 15.4.5, with two packages of which the move to 15.4.6 exchanges both, and with one more that it adds. */
function setScene(): Scene {
  const made = scene();
  made.host.others = { [libs]: installed(a), [data]: installed(a) };
  made.host.plan = takes(libs, data, extra);
  return made;
}

/** As a pass does: first what the move brings, then what it leaves. */
async function keepBoth({ acts }: Scene): Promise<void> {
  await acts.keep({ version: b, is: "offered", to: b });
  await acts.keep({ version: a, is: "installed", to: b });
}

async function move(made: Scene): Promise<void> {
  await keepBoth(made);
  await made.acts.install({ to: b, from: "offered", why: "window" });
}

function goBack({ host, again }: Scene): Promise<void> {
  host.asked = { when: "back", absent: "stop" };
  return again("pass-2").install({ to: a, from: "kept", why: "rollback" });
}

function keptOf({ paths }: Scene, version: string): KeptSet | undefined {
  return readLedger(paths).kept.find(({ packageVersion: kept }) => kept === version);
}

function told(wanted: readonly WantedFile[]): readonly string[] {
  return wanted.map(({ name, version, is }) => `${name} ${version} ${is}`);
}

function namesOf(files: FileSet): readonly string[] {
  return files.map(({ name, version, path }) => `${name} ${version} ${path.split("/").at(-1)}`);
}

const movedAlong = [
  { name: libs, from: a, to: b },
  { name: data, from: a, to: b },
  { name: extra, from: undefined, to: b },
];

describe("keeping what moves along", () => {
  test("keeps of what is offered all that is planned, with what each takes the place of", async () => {
    const made = setScene();
    const kept = await made.acts.keep({ version: b, is: "offered", to: b });
    expect(kept).toStrictEqual({ packageVersion: b, file: "15.4.6.deb", sha256: expect.any(String), bytes: 14 });
    expect(told(made.fetched)).toEqual([
      "svc-ent 15.4.6 offered",
      "svc-ent-libs 15.4.6 offered",
      "svc-ent-data 15.4.6 offered",
      "extra 15.4.6 offered",
    ]);
    // None of it can be had alone.
    const beside = [agent, libs, data, extra].map((name) => ({ name, version: b, architecture: undefined }));
    expect(made.fetched.map((wanted) => wanted.beside)).toEqual([beside, beside, beside, beside]);
    expect(keptOf(made, b)).toMatchObject({
      ...kept,
      companions: [
        { name: libs, packageVersion: b, instead: a, file: "svc-ent-libs_15.4.6.deb" },
        { name: data, packageVersion: b, instead: a, file: "svc-ent-data_15.4.6.deb" },
        { name: extra, packageVersion: b, file: "extra_15.4.6.deb" },
      ],
    });
    expect(keptOf(made, b)?.companions[2]?.instead).toBeUndefined();
  });

  test("keeps of what is installed all that is exchanged, and asks whether it could come back", async () => {
    const made = setScene();
    await keepBoth(made);
    expect(told(made.fetched.slice(4))).toEqual([
      "svc-ent 15.4.5 installed",
      "svc-ent-libs 15.4.5 installed",
      "svc-ent-data 15.4.5 installed",
    ]);
    expect(made.objected.map(({ after, before }) => [namesOf(after), namesOf(before)])).toEqual([
      [
        [
          "svc-ent 15.4.6 15.4.6.deb",
          "svc-ent-libs 15.4.6 svc-ent-libs_15.4.6.deb",
          "svc-ent-data 15.4.6 svc-ent-data_15.4.6.deb",
          "extra 15.4.6 extra_15.4.6.deb",
        ],
        [
          "svc-ent 15.4.5 15.4.5.deb",
          "svc-ent-libs 15.4.5 svc-ent-libs_15.4.5.deb",
          "svc-ent-data 15.4.5 svc-ent-data_15.4.5.deb",
        ],
      ],
    ]);
    expect(keptOf(made, a)?.companions).toMatchObject([
      { name: libs, packageVersion: a, instead: b },
      { name: data, packageVersion: a, instead: b },
    ]);
    expect(readdirSync(made.paths.keptPackages)).toHaveLength(7);
  });

  test("keeps nothing of what a plan installs once more: that is there at both sides", async () => {
    const made = scene();
    made.host.others = { [libs]: installed(b, { condition: "half-way" }) };
    made.host.plan = takes(libs);
    await keepBoth(made);
    expect(keptOf(made, a)?.companions).toEqual([]);
    expect(keptOf(made, b)?.companions).toMatchObject([{ name: libs, packageVersion: b, instead: b }]);
  });

  test("fetches nothing twice, and again what is damaged", async () => {
    const made = setScene();
    await keepBoth(made);
    made.fetched.length = 0;
    await keepBoth(made);
    expect(told(made.fetched)).toEqual([]);
    writeFileSync(`${made.paths.keptPackages}/svc-ent-libs_15.4.5.deb`, "package 66.6.6");
    rmSync(`${made.paths.keptPackages}/svc-ent-data_15.4.6.deb`);
    await keepBoth(made);
    expect(told(made.fetched)).toEqual(["svc-ent-data 15.4.6 offered", "svc-ent-libs 15.4.5 installed"]);
  });

  test("takes what the last move brought for what the next one leaves", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    made.fetched.length = 0;
    made.host.plan = [libs, data].map((name) => ({ name, version: c, architecture: "all" }));
    await made.acts.keep({ version: c, is: "offered", to: c });
    await made.acts.keep({ version: b, is: "installed", to: c });
    expect(told(made.fetched)).toEqual(["svc-ent 15.4.7 offered", "svc-ent-libs 15.4.7 offered", "svc-ent-data 15.4.7 offered"]);
    expect(keptOf(made, b)?.companions).toMatchObject([
      { name: libs, packageVersion: b, instead: c },
      { name: data, packageVersion: b, instead: c },
    ]);
  });

  test("leaves at its new version what cannot be had any more, where the old one can stand beside that", async () => {
    const made = setScene();
    made.host.unfetched = { "svc-ent-data=15.4.5": "not-offered" };
    await keepBoth(made);
    expect(keptOf(made, a)?.companions.map(({ name }) => name)).toEqual([libs]);
    const [objected] = made.objected;
    expect(objected?.before.map(({ name }) => name)).toEqual([agent, libs]);
    expect(objected?.after.map(({ name }) => name)).toEqual([agent, libs, data, extra]);
  });

  test("keeps no rollback that the package manager objects to, and says why", async () => {
    const made = setScene();
    made.host.objection = "extra Conflicts: svc-ent (<< 15.4.6)";
    await expect(keepBoth(made)).rejects.toMatchObject({
      code: "plan-refused",
      message: "svc-ent 15.4.5 could not be put back after it: extra Conflicts: svc-ent (<< 15.4.6)",
    });
    expect(keptOf(made, a)).toBeUndefined();
    expect(keptOf(made, b)).toBeDefined();
  });

  test("says as well what could not be had, where the rollback fails without it", async () => {
    const made = setScene();
    made.host.unfetched = { "svc-ent-libs=15.4.5": "not-offered", "svc-ent-data=15.4.5": "download-failed" };
    made.host.objection = "svc-ent Depends: svc-ent-libs (= 15.4.5)";
    await expect(keepBoth(made)).rejects.toMatchObject({
      code: "plan-refused",
      message:
        "svc-ent 15.4.5 could not be put back after it: svc-ent-libs 15.4.5 cannot be had; svc-ent-data 15.4.5 cannot be had; " +
        "and without: svc-ent Depends: svc-ent-libs (= 15.4.5)",
      hint: expect.stringContaining("keep_previous: prefer") as string,
    });
    expect(keptOf(made, a)).toBeUndefined();
  });

  test.each(["manager-busy", "busy", "bug", "interrupted", "stopping", "no-space"] as const)(
    "gives up where a companion cannot be had because of what would stop the move as well: %s",
    async (code) => {
      const made = setScene();
      made.host.unfetched = { "svc-ent-data=15.4.5": code };
      await expect(keepBoth(made)).rejects.toMatchObject({ code, message: "svc-ent-data 15.4.5 cannot be had" });
      expect(made.objected).toEqual([]);
    },
  );

  test.each(["svc-ent", "svc-ent-libs", "extra"])("gives up where the file of %s is not there to be moved to", async (name) => {
    const made = setScene();
    made.host.unfetched = { [`${name}=15.4.6`]: "download-failed" };
    await expect(keepBoth(made)).rejects.toMatchObject({ code: "download-failed" });
    expect(readLedger(made.paths).kept).toEqual([]);
  });

  test("is asked in the order in which alone the rollback can be judged", async () => {
    const { acts } = setScene();
    await expect(acts.keep({ version: a, is: "installed", to: b })).rejects.toThrow("what the move brings is kept before");
  });

  test.each([
    { title: "is neither what the move brings nor what it leaves", version: b, is: "offered", to: c },
    { title: "is not installed", version: b, is: "installed", to: c },
  ] as const)(
    "is refused of a version that $title: what would be kept with it belongs to another",
    async ({ title: _title, ...one }) => {
      const made = setScene();
      await made.acts.keep({ version: one.to, is: "offered", to: one.to });
      const [ledger, fetched] = [readLedger(made.paths), made.fetched.length];
      await expect(made.acts.keep(one)).rejects.toMatchObject({
        code: "overtaken",
        message: `${one.version} cannot be kept for a move to ${one.to}: it is neither what that leaves nor what it brings`,
      });
      expect(made.fetched).toHaveLength(fetched);
      expect(readLedger(made.paths)).toEqual(ledger);
    },
  );

  test("is refused of what is installed where one of it moves along for two architectures: one file alone could be kept", async () => {
    const made = scene();
    made.host.others = { [libs]: installed(a) };
    made.host.plan = ["amd64", "i386"].map((architecture) => ({ name: libs, version: b, architecture }));
    await made.acts.keep({ version: b, is: "offered", to: b });
    await expect(made.acts.keep({ version: a, is: "installed", to: b })).rejects.toMatchObject({
      code: "plan-refused",
      message: "svc-ent-libs moves along for more than one architecture, and is kept for one alone",
    });
    expect(keptOf(made, a)).toBeUndefined();
    expect(told(made.fetched)).toEqual(["svc-ent 15.4.6 offered", "svc-ent-libs 15.4.6 offered"]);
  });

  test("leaves what came along with a version where it is when that version is repaired", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    made.host.others[libs] = installed(b, { condition: "half-way" });
    made.host.plan = takes(libs);
    made.fetched.length = 0;
    await made.again("pass-2").keep({ version: b, is: "offered", to: b });
    expect(made.fetched).toEqual([]);
    const companions = keptOf(made, b)?.companions ?? [];
    expect(companions.map(({ name, instead }) => [name, instead])).toEqual([
      [libs, a],
      [data, a],
      [extra, undefined],
    ]);
    // What a repair is asked for knows of what moved along before.
    expect(made.changes.at(-1)).toMatchObject({ to: b, direction: "same", beside: [libs, data, extra] });
  });

  test("knows of what was added that it was, though a repair has put it in order", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    made.host.others[extra] = installed(b, { condition: "half-way" });
    made.host.plan = takes(extra);
    await made.again("pass-2").keep({ version: b, is: "offered", to: b });
    expect(keptOf(made, b)?.companions.find(({ name }) => name === extra)?.instead).toBeUndefined();
  });

  test("removes the files of a set with it, and none that another one needs", async () => {
    const made = setScene();
    await move(made);
    await made.acts.keepOnly([b]);
    expect(readdirSync(made.paths.keptPackages).toSorted()).toEqual(
      ["15.4.6.deb", "extra_15.4.6.deb", "svc-ent-data_15.4.6.deb", "svc-ent-libs_15.4.6.deb"].toSorted(),
    );
  });
});

describe("installing what moves along", () => {
  test("writes down what the plan takes along before it is installed", async () => {
    const made = setScene();
    await made.acts.install({ to: b, from: "offered", why: "window" });
    expect(readLedger(made.paths).move).toMatchObject({ from: a, to: b, companions: movedAlong });
    expect(made.host.others).toMatchObject({ [libs]: installed(b), [data]: installed(b), [extra]: installed(b) });
  });

  test("remembers what it took along once it is settled: what it added belongs to it as well", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    expect(readLedger(made.paths)).toMatchObject({ move: undefined, previous: a, beside: [libs, data, extra] });
  });

  test("does not remember what it added once it is taken back: the version before does not need that", async () => {
    const made = setScene();
    await move(made);
    await made.again("pass-2").install({ to: a, from: "kept", why: "window" });
    await made.acts.settle();
    expect(readLedger(made.paths)).toMatchObject({ move: undefined, previous: undefined, beside: [libs, data] });
  });

  test("repairs all that is in hand", async () => {
    const made = setScene();
    await move(made);
    await made.acts.mend();
    expect(made.mended).toEqual([[agent, libs, data]]);
  });
});

describe("going back with what moved along", () => {
  test("takes all of it back at once, and what was added stays", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    await goBack(made);
    expect(made.did.at(-1)).toBe(
      "install package 15.4.5, package svc-ent-libs 15.4.5, package svc-ent-data 15.4.5 as 15.4.5, written down: 15.4.5",
    );
    expect(made.host.others).toEqual({ [libs]: installed(a), [data]: installed(a), [extra]: installed(b) });
    expect(readLedger(made.paths).move).toMatchObject({
      from: b,
      to: a,
      why: "rollback",
      companions: [
        { name: libs, from: b, to: a },
        { name: data, from: b, to: a },
      ],
    });
  });

  test("goes on where one of it is half-way", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    made.host.others[libs] = installed(b, { condition: "half-way" });
    await goBack(made);
    expect(made.did.at(-1)?.includes("svc-ent-libs 15.4.5")).toBe(true);
    expect(made.did.at(-1)).toContain("svc-ent-data 15.4.5");
  });

  test.each([
    { title: "was moved on since", there: installed(c), says: "is at 15.4.7 by now, and not at 15.4.6 as the move left it" },
    { title: "is not there any more", there: absent, says: "is not installed any more, and not at 15.4.6 as the move left it" },
  ])("is refused where one of it $title, and nothing is changed or written down", async ({ there, says }) => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    made.host.others[libs] = there;
    const before = [...made.did];
    await expect(goBack(made)).rejects.toMatchObject({
      code: "plan-refused",
      message: `nothing was taken back: svc-ent-libs, which had moved along, ${says}`,
      hint: expect.stringContaining("install svc-ent-libs 15.4.6 once more") as string,
    });
    expect(made.did).toEqual(before);
    expect(readLedger(made.paths).move).toBeUndefined();
  });

  test("is refused where a file of one of it is damaged, or gone", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    const before = [...made.did];
    writeFileSync(`${made.paths.keptPackages}/svc-ent-libs_15.4.5.deb`, "package svc-ent-LIBS 15.4.5");
    await expect(goBack(made)).rejects.toMatchObject({
      code: "file-failed",
      message: "the kept package of 15.4.5 is of no use: svc-ent-libs_15.4.5.deb: its content is another by now",
    });
    rmSync(`${made.paths.keptPackages}/svc-ent-libs_15.4.5.deb`);
    await expect(goBack(made)).rejects.toMatchObject({ message: expect.stringContaining("it is not there") as string });
    expect(made.did).toEqual(before);
  });

  test("from a move that broke off takes back what of it came or is gone, and not what others have moved on since", async () => {
    const made = setScene();
    await move(made);
    made.host.others[libs] = installed(c);
    made.host.others[data] = absent;
    await made.again("pass-2").install({ to: a, from: "kept", why: "window" });
    expect(made.did.at(-1)).toBe("install package 15.4.5, package svc-ent-data 15.4.5 as 15.4.5, written down: 15.4.6");
    expect(made.host.others).toEqual({ [libs]: installed(c), [data]: installed(a), [extra]: installed(b) });
    // It is the same move still.
    expect(readLedger(made.paths).move).toMatchObject({ from: a, to: b, companions: movedAlong });
  });

  test("from a move that broke off puts in order what it added, where that is half-way", async () => {
    const made = setScene();
    await move(made);
    made.host.others[extra] = installed(b, { condition: "half-way" });
    await made.again("pass-2").install({ to: a, from: "kept", why: "window" });
    expect(made.did.at(-1)).toContain("package svc-ent-data 15.4.5, package extra 15.4.6 as 15.4.5");
    expect(made.host.others).toEqual({ [libs]: installed(a), [data]: installed(a), [extra]: installed(b) });
  });
});

describe("going on with what moves along", () => {
  /** A move that broke off with nothing done. */
  async function brokenOff(): Promise<Scene> {
    const made = setScene();
    await keepBoth(made);
    made.host.fails = true;
    await expect(made.acts.install({ to: b, from: "offered", why: "window" })).rejects.toThrow("it broke off");
    made.host.fails = false;
    return made;
  }

  test("installs what is still as before, half-way or not there, and leaves alone what has gone on", async () => {
    const made = await brokenOff();
    made.host.others = { [libs]: installed(c), [data]: installed(b, { condition: "half-way" }) };
    made.host.present = installed(b, { condition: "half-way" });
    await made.again("pass-2").install({ to: b, from: "kept", why: "window" });
    expect(made.did.at(-1)).toBe(
      "install package 15.4.6, package svc-ent-data 15.4.6, package extra 15.4.6 as 15.4.6, written down: 15.4.6",
    );
    expect(made.host.others[libs]).toEqual(installed(c));
    expect(readLedger(made.paths).move).toMatchObject({ from: a, to: b, companions: movedAlong });
  });

  test("from kept files alone repairs what is half-way, and takes nothing down that is whole and higher", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    made.host.others = { [libs]: installed(c), [data]: installed(b, { condition: "half-way" }), [extra]: installed(b) };
    made.host.present = installed(b, { condition: "half-way" });
    await made.again("pass-2").install({ to: b, from: "kept", why: "window" });
    expect(made.did.at(-1)).toBe("install package 15.4.6, package svc-ent-data 15.4.6 as 15.4.6, written down: 15.4.6");
    const open = readLedger(made.paths).move;
    expect(open).toMatchObject<Partial<OpenMove>>({ from: b, to: b });
    // And once more, when that did not finish: the repair of a version goes from there to there.
    made.host.present = installed(b, { condition: "half-way" });
    made.host.others[data] = installed(b, { condition: "half-way" });
    await made.again("pass-3").install({ to: b, from: "kept", why: "window" });
    expect(made.did.at(-1)).toBe("install package 15.4.6, package svc-ent-data 15.4.6 as 15.4.6, written down: 15.4.6");
    expect(made.host.others[libs]).toEqual(installed(c));
  });

  test("a repair leaves known what moved along before it", async () => {
    const made = setScene();
    await move(made);
    await made.acts.settle();
    made.host.plan = [];
    await made.again("pass-2").install({ to: b, from: "offered", why: "window" });
    expect(readLedger(made.paths).move).toMatchObject({ from: b, to: b, companions: [] });
    await made.again("pass-2").settle();
    expect(readLedger(made.paths)).toMatchObject({ beside: [libs, data, extra], previous: a });
  });
});
