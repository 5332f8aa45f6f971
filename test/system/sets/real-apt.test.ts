import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileOnHost, FileSet } from "../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { fileName, makeScratch, missingTools, type Built, type Scratch } from "../../updater/package/scratch.ts";
import { agent, change, faultOf } from "../../updater/package/apt/given.ts";
import { aptHost, writeStatus, type Host } from "../../updater/package/apt/on-host.ts";

const missing = missingTools();
if (missing !== undefined) console.warn(`SKIPPED: the tests with the real apt and dpkg: ${missing}`);

const [bin, libs, data] = ["svc-ent-bin", "svc-ent-libs", "svc-ent-data"] as PackageName[] as [
  PackageName,
  PackageName,
  PackageName,
];
const set = [agent, bin, libs, data] as const;

/** Packages of one source: each needs the others in exactly its own version, or excludes them in an older one. */
function source(version: string): readonly Built[] {
  return [
    { name: agent, version, control: `Depends: svc-ent-bin (= ${version}), svc-ent-libs (>= ${version})` },
    { name: bin, version, control: `Depends: svc-ent-data (= ${version})` },
    { name: libs, version, control: `Breaks: svc-ent (<< ${version}), svc-ent-bin (<< ${version})` },
    { name: data, version },
    { name: "svc-ent-tool", version, control: `Depends: svc-ent (= ${version})` },
  ];
}

const stock: readonly Built[] = [
  ...["15.4.5", "15.4.6", "15.4.7"].flatMap(source),
  { name: agent, version: "16.0.0", control: "Depends: libbreaks" },
  { name: "libbreaks", version: "1.0", control: "Conflicts: svc-ent (<< 16)" },
  { name: agent, version: "16.1.0", control: "Depends: libreplaces" },
  { name: "libreplaces", version: "1.0", control: "Replaces: svc-ent", paths: ["usr/share/svc-ent/version"] },
  { name: agent, version: "16.2.0", control: "Depends: libnew" },
  { name: "libnew", version: "1.0" },
  { name: agent, version: "16.3.0", control: "Pre-Depends: libbreaks, libnew | libreplaces" },
  { name: "lacking", version: "1.0", control: "Depends: nowhere" },
  { name: "bystander", version: "1.0", control: "Depends: svc-ent-libs (= 15.4.6)" },
];

let scratch: Scratch;
let repository: string;

/** A host with the set in that version, or the agent's package alone. */
async function host(...installed: readonly string[]): Promise<Host> {
  const made = await aptHost(scratch, { "ours.list": `deb [trusted=yes] file:${repository} ./\n` });
  await made.apt.refresh(agent);
  if (installed.length > 0) made.command("apt-get", "-qq", "-y", "install", ...installed);
  return made;
}

function allAt(version: string): readonly string[] {
  return set.map((name) => `${name}=${version}`);
}

function files(version: string, ...names: readonly string[]): FileSet {
  const file = (name: string, of: string): FileOnHost => ({
    name: name as PackageName,
    version: of as PackageVersion,
    path: join(repository, fileName({ name, version: of })),
  });
  return [file(agent, version), ...names.map((name) => (name.startsWith("lib") ? file(name, "1.0") : file(name, version)))];
}

function alone(name: string): string {
  return join(repository, fileName({ name, version: "1.0" }));
}

async function versions({ apt }: Host): Promise<readonly string[]> {
  const found = await apt.inspectAll(set);
  return found.map((one) => (one.kind === "present" ? `${one.packageVersion} ${one.condition}` : "absent"));
}

function status({ root }: Host): string {
  return readFileSync(join(root, "var/lib/dpkg/status"), "utf8");
}

const whole = (version: string): readonly string[] => set.map(() => `${version} whole`);

describe.skipIf(missing !== undefined)("a set of packages, with the real apt", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    scratch = await makeScratch();
    repository = await scratch.repository("stock", stock);
  }, 120_000);
  afterAll(() => scratch.remove());

  test("is looked at with one question, each by its name", async () => {
    const on = await host(...allAt("15.4.5"));
    const other = "svc-ent-tool" as PackageName;
    await writeStatus(on.root, "install ok half-configured", libs);
    on.command("apt-mark", "hold", "svc-ent-bin");
    expect(await on.apt.inspectAll([libs, other, agent, bin])).toMatchObject([
      { kind: "present", packageVersion: "15.4.5", condition: "half-way", isHeld: false },
      { kind: "absent" },
      { kind: "present", packageVersion: "15.4.5", condition: "whole" },
      { kind: "present", condition: "whole", isHeld: true },
    ]);
    expect(await on.apt.inspectAll([])).toEqual([]);
    expect(await on.apt.inspectAll([other])).toEqual([{ kind: "absent" }]);
    writeFileSync(join(on.root, "var/lib/dpkg/status"), "this is no database\n");
    expect(await faultOf(on.apt.inspectAll([libs]))).toMatchObject({ code: "database-broken" });
  });

  test.each([
    { title: "up to what is not the newest", from: "15.4.5", to: "15.4.6", direction: "up" },
    { title: "up to the newest", from: "15.4.5", to: "15.4.7", direction: "up" },
    { title: "down", from: "15.4.7", to: "15.4.6", direction: "down" },
    { title: "down to the oldest", from: "15.4.7", to: "15.4.5", direction: "down" },
  ] as const)("goes $title as a whole: all that belongs to the version, and no other version of it", async (given) => {
    const on = await host(...allAt(given.from));
    const wanted = change(given.to, { direction: given.direction });
    const planned = await on.apt.simulate(wanted);
    expect(planned.map(({ name, version }) => `${name}=${version}`).toSorted()).toEqual([...allAt(given.to)].toSorted());
    await on.apt.install(wanted);
    expect(await versions(on)).toEqual(whole(given.to));
    expect(on.command("dpkg", `--admindir=${on.root}/var/lib/dpkg`, "--audit")).toBe("");
  });

  test("takes along what needs that one version of it, on the way to the newest", async () => {
    const on = await host(...allAt("15.4.6"), "svc-ent-tool=15.4.6");
    const planned = await on.apt.simulate(change("15.4.7"));
    expect(planned.map(({ name, version }) => `${name}=${version}`)).toContain("svc-ent-tool=15.4.7");
  });

  // Where another version than the newest is wanted, apt plans to remove what needs the one that leaves, and complains of nothing.
  test.each([
    { title: "to what is not the newest", from: "15.4.5", direction: "up" },
    { title: "down", from: "15.4.7", direction: "down" },
  ] as const)("takes along what needs that one version of it, on the way $title", async ({ from, direction }) => {
    const on = await host(...allAt(from), `svc-ent-tool=${from}`);
    const planned = await on.apt.simulate(change("15.4.6", { direction }));
    expect(planned.map(({ name, version }) => `${name}=${version}`)).toContain("svc-ent-tool=15.4.6");
  });

  test("takes along as it is marked: nobody has asked for what only belongs to it", async () => {
    const on = await host(...allAt("15.4.5"));
    on.command("apt-mark", "auto", "svc-ent-bin", "svc-ent-libs");
    await on.apt.install(change("15.4.6"));
    await on.apt.install(change("15.4.5", { direction: "down" }));
    expect(on.command("apt-mark", "showauto").trim().split("\n")).toEqual(["svc-ent-bin", "svc-ent-libs"]);
  });

  test.each([bin, libs, data])("puts %s in order with a repair, where it is what is half-way", async (broken) => {
    const on = await host(...allAt("15.4.6"));
    await writeStatus(on.root, "install reinstreq half-installed", broken);
    const wanted = change("15.4.6", { direction: "same", beside: [bin, libs, data] });
    const planned = await on.apt.simulate(wanted);
    expect(planned.map(({ name, version }) => `${name}=${version}`)).toContain(`${broken}=15.4.6`);
    await on.apt.install(wanted);
    expect(await versions(on)).toEqual(whole("15.4.6"));
  });

  test("repairs the agent's package alone where nothing else is half-way", async () => {
    const on = await host(...allAt("15.4.6"));
    const planned = await on.apt.simulate(change("15.4.6", { direction: "same", beside: [bin, libs, data] }));
    expect(planned.map(({ name }) => name)).toEqual([agent]);
  });

  test("is refused where somebody else's package needs what would leave, in the words in which apt says so", async () => {
    const on = await host(...allAt("15.4.6"), "bystander");
    const before = status(on);
    for (const [to, direction] of [
      ["15.4.7", "up"],
      ["15.4.5", "down"],
    ] as const) {
      const fault = await faultOf(on.apt.simulate(change(to, { direction })));
      expect(fault).toMatchObject({ code: "plan-refused" });
      expect(fault.message).toContain("bystander");
    }
    expect(status(on)).toBe(before);
  });

  test("is refused where one of it is held, though the agent's own hold may be lifted, and nothing is changed", async () => {
    const on = await host(...allAt("15.4.5"));
    on.command("apt-mark", "hold", agent, libs);
    const before = status(on);
    for (const [to, direction] of [
      ["15.4.6", "up"],
      ["15.4.7", "up"],
    ] as const) {
      expect(await faultOf(on.apt.simulate(change(to, { direction, hold: "lifted" })))).toMatchObject({
        code: "plan-refused",
        message: `installing svc-ent ${to} would lift the hold on svc-ent-libs as well`,
      });
    }
    expect(status(on)).toBe(before);
  });

  test("goes with the agent's own hold lifted, where nothing else is held", async () => {
    const on = await host(...allAt("15.4.5"));
    on.command("apt-mark", "hold", agent);
    await on.apt.install(change("15.4.6", { hold: "lifted" }));
    expect(await versions(on)).toEqual(whole("15.4.6"));
    expect(on.command("apt-mark", "showhold").trim()).toBe(agent);
  });

  test("is not refused for the hold on a package that stays as it is", async () => {
    const on = await host(...allAt("15.4.5"), "libnew");
    on.command("apt-mark", "hold", agent, "libnew");
    const planned = await on.apt.simulate(change("15.4.6", { hold: "lifted" }));
    expect(planned.map(({ name }) => name).toSorted()).toEqual([...set].toSorted());
  });

  describe("from its files", () => {
    test.each([
      { title: "up", from: "15.4.5", to: "15.4.6", direction: "up" },
      { title: "down", from: "15.4.6", to: "15.4.5", direction: "down" },
    ] as const)(
      "goes $title in one transaction, though each excludes the other's old version",
      async ({ from, to, direction }) => {
        const on = await host(...allAt(from));
        const transactions = on.transactions.length;
        await on.apt.installFiles(change(to, { direction }), files(to, bin, libs, data));
        expect(await versions(on)).toEqual(whole(to));
        expect(on.transactions).toHaveLength(transactions + 1);
      },
    );

    test("is put in order out of a mixture, half of it half-way, forth and back", async () => {
      const on = await host(...allAt("15.4.5"));
      const mixed = (): string =>
        on.command(
          "sh",
          "-c",
          `dpkg --root=${on.root} --log=/dev/null --path-include='/*' --force-all --unpack "$@" || :`,
          "sh",
          files("15.4.6", libs)[1]?.path ?? "",
        );
      mixed();
      await on.apt.installFiles(change("15.4.6"), files("15.4.6", bin, libs, data));
      expect(await versions(on)).toEqual(whole("15.4.6"));
      await on.apt.installFiles(change("15.4.5", { direction: "down" }), files("15.4.5", bin, libs, data));
      mixed();
      await on.apt.installFiles(change("15.4.5", { direction: "down" }), files("15.4.5", bin, libs, data));
      expect(await versions(on)).toEqual(whole("15.4.5"));
    });

    test.each([
      {
        title: "one of it is held",
        prepare: (on: Host) => on.command("apt-mark", "hold", "svc-ent-libs"),
        says: "would lift the hold on svc-ent-libs",
      },
      {
        title: "another package needs what would leave",
        prepare: (on: Host) => on.command("apt-get", "-qq", "-y", "install", "bystander"),
        says: "bystander",
      },
    ])("is refused where $title, and nothing is changed", async ({ prepare, says }) => {
      const on = await host(...allAt("15.4.6"));
      prepare(on);
      const before = status(on);
      const down = change("15.4.5", { direction: "down", hold: "lifted" });
      const fault = await faultOf(on.apt.installFiles(down, files("15.4.5", bin, libs, data)));
      expect(fault).toMatchObject({ code: "plan-refused" });
      expect(fault.message).toContain(says);
      expect(fault.message).toContain("from its file and 3 more");
      expect(status(on)).toBe(before);
    });

    test("is refused where one is left out that it pre-depends on, though something else lacks what it needs", async () => {
      const on = await host(...allAt("15.4.6"));
      on.command("sh", "-c", `dpkg --root=${on.root} --log=/dev/null --path-include='/*' --unpack "$1"`, "sh", alone("lacking"));
      const before = status(on);
      const fault = await faultOf(on.apt.installFiles(change("16.3.0"), files("16.3.0", "libnew")));
      expect(fault).toMatchObject({
        code: "plan-refused",
        message: "installing svc-ent 16.3.0 from its file and 1 more fails: svc-ent pre-depends on libbreaks",
      });
      expect(status(on)).toBe(before);
    });

    test("is refused where one is left out that it needs", async () => {
      const on = await host(...allAt("15.4.6"));
      const before = status(on);
      const fault = await faultOf(on.apt.installFiles(change("15.4.5", { direction: "down" }), files("15.4.5", bin)));
      expect(fault).toMatchObject({ code: "plan-refused" });
      expect(fault.message).toMatch(/svc-ent-(?:libs|data)/);
      expect(status(on)).toBe(before);
    });
  });

  describe("whether it could be taken back", () => {
    test("is answered from a host that still stands before the move, which stays as it is", async () => {
      const on = await host(...allAt("15.4.5"));
      const before = status(on);
      const sets = { after: files("15.4.6", bin, libs, data), before: files("15.4.5", bin, libs, data) };
      expect(await on.apt.objectionToBack(sets)).toBeUndefined();
      expect(status(on)).toBe(before);
    });

    test("is so with what it adds, where that stands beside it", async () => {
      const on = await host(...allAt("15.4.5"));
      expect(await on.apt.objectionToBack({ after: files("16.2.0", "libnew"), before: files("15.4.5") })).toBeUndefined();
    });

    test.each([
      {
        title: "without a file of it",
        after: files.bind(undefined, "15.4.6", bin, libs, data),
        before: [bin, data],
        says: "svc-ent-libs",
      },
      {
        title: "where what it adds excludes it",
        after: files.bind(undefined, "16.0.0", "libbreaks"),
        before: [],
        says: "libbreaks",
      },
      {
        title: "where what it adds has a file of it",
        after: files.bind(undefined, "16.1.0", "libreplaces"),
        before: [],
        says: "/usr/share/svc-ent/version is of svc-ent, and libreplaces, which is added, has it too",
      },
    ])("is not so $title, and says why", async ({ after, before, says }) => {
      const on = await host(...allAt("15.4.5"));
      const objection = await on.apt.objectionToBack({ after: after(), before: files("15.4.5", ...before) });
      expect(objection).toContain(says);
    });
  });
});
