import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actHere, type PackageActs } from "../../../src/updater/act/package-acts.ts";
import { pathsBelow, type Paths } from "../../../src/machine/files/paths.ts";
import { inspectingBeside } from "../../../src/updater/package/manager/inspect-along.ts";
import type { PackageManager } from "../../../src/updater/package/manager/manager.ts";
import { policyOf } from "../../../src/updater/plan/host-policy.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { companionsIn, readLedger } from "../../../src/updater/store/ledger-file.ts";
import { faultOf } from "../../updater/package/apt/given.ts";
import { aptHost, writeStatus, type Host } from "../../updater/package/apt/on-host.ts";
import { fileName, makeScratch, missingTools, type Built, type Scratch } from "../../updater/package/scratch.ts";
import { now, openSchedule, packageVersion, settings } from "../../updater/pass/given.ts";

const missing = missingTools();
if (missing !== undefined) console.warn(`SKIPPED: the tests with the real apt and dpkg: ${missing}`);

const [agent, libs, extra] = ["svc-ent", "svc-ent-libs", "extra"] as PackageName[] as [PackageName, PackageName, PackageName];
const [old, wanted] = [packageVersion("15.4.5"), packageVersion("15.4.6")];
const before = ["15.4.5 whole", "15.4.5 whole"];
const after = ["15.4.6 whole", "15.4.6 whole"];

let scratch: Scratch;
let repositories = 0;

type Scene = {
  readonly on: Host;
  readonly paths: Paths;
  readonly repository: string;
  /** Another process, for another pass; "back" is an admin's rollback. */
  readonly acts: (when?: "timer" | "back", manager?: Partial<PackageManager>) => PackageActs;
  /** dpkg at work by itself, as far as that comes. */
  readonly dpkg: (what: "unpack" | "install", ...files: readonly string[]) => void;
};

/** A host with the agent's package and its companion in their old version, and a repository that offers the others as well. */
async function scene(stock: readonly Built[], ...more: readonly string[]): Promise<Scene> {
  repositories += 1;
  const repository = await scratch.repository(`stock-${repositories}`, stock);
  const on = await aptHost(scratch, { "ours.list": `deb [trusted=yes] file:${repository} ./\n` });
  await on.apt.refresh(agent);
  on.command("apt-get", "-qq", "-y", "install", `svc-ent=${old}`, `svc-ent-libs=${old}`, ...more);
  const paths = pathsBelow(`${on.root}-own`);
  mkdirSync(paths.stateDirectory, { recursive: true });
  const acts: Scene["acts"] = (when = "timer", manager = {}) => {
    const itself = { ...on.apt, install: on.installAlone, ...manager };
    return actHere({
      settings: settings(),
      manager: async () => inspectingBeside(itself, () => companionsIn(paths)),
      paths,
      pass: "pass-1",
      gates: {
        policy: async () => policyOf(settings(), { when, absent: "stop" }),
        schedule: async () => openSchedule,
        now: () => now,
      },
      noteSettings: () => undefined,
    });
  };
  const dpkg: Scene["dpkg"] = (what, ...files) => {
    const line = `dpkg --root=${on.root} --log=/dev/null --path-include='/*' --${what} "$@" >/dev/null 2>&1 || :`;
    on.command("sh", "-c", line, "sh", ...files.map((one) => join(repository, one)));
  };
  return { on, paths, repository, acts, dpkg };
}

/** As a pass does before it installs. */
async function keepBoth(acts: PackageActs): Promise<void> {
  await acts.simulate(wanted);
  await acts.bring(wanted);
  await acts.keep({ version: wanted, is: "offered", to: wanted });
  await acts.keep({ version: old, is: "installed", to: wanted });
}

async function move({ acts }: Scene): Promise<void> {
  await keepBoth(acts());
  await acts().install({ to: wanted, from: "offered", why: "window" });
}

/** A move that ends when this much of it is done. */
async function cutOff(made: Scene, done: () => void | Promise<void>): Promise<void> {
  await keepBoth(made.acts());
  const install = async (): Promise<never> => {
    await done();
    throw new Error("it was cut off");
  };
  await expect(made.acts("timer", { install }).install({ to: wanted, from: "offered", why: "window" })).rejects.toThrow(
    "cut off",
  );
}

async function goBack({ acts }: Scene): Promise<void> {
  await acts("back").install({ to: old, from: "kept", why: "rollback" });
  await acts().settle();
}

async function versions({ on }: Scene, ...names: readonly PackageName[]): Promise<readonly string[]> {
  const found = await on.apt.inspectAll([agent, libs, ...names]);
  return found.map((one) => (one.kind === "present" ? `${one.packageVersion} ${one.condition}` : "absent"));
}

function isThere({ on }: Scene, path: string): boolean {
  return existsSync(join(on.root, path));
}

function audit({ on }: Scene): string {
  return on.command("dpkg", `--admindir=${on.root}/var/lib/dpkg`, "--audit");
}

function file(name: string, version: string): string {
  return fileName({ name, version });
}

/** Both in both versions, with what each says of itself. */
function pair(ofAgent: (version: string) => Partial<Built>, ofLibs: (version: string) => Partial<Built> = () => ({})): Built[] {
  return [old, wanted].flatMap((version) => [
    { name: agent, version, ...ofAgent(version) },
    { name: libs, version, ...ofLibs(version) },
  ]);
}

const locked = (version: string): Partial<Built> => ({ control: `Depends: svc-ent-libs (= ${version})` });

describe.skipIf(missing !== undefined)("a move of several packages, with the real apt", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    scratch = await makeScratch();
  });
  afterAll(() => scratch.remove());

  test.each([
    { title: "that agrees with the old agent", control: undefined },
    { title: "that excludes the old agent", control: "Breaks: svc-ent (<< 15.4.6)" },
  ])("goes back where the new agent's own script stops it, from a companion $title", async ({ control }) => {
    const stops = {
      control: "Depends: svc-ent-libs (= 15.4.6)\nBreaks: svc-ent-libs (<< 15.4.6)",
      preinst: "#!/bin/sh\nexit 1\n",
    };
    const made = await scene(
      pair(
        (version) => (version === wanted ? stops : locked(version)),
        (version) => (version === wanted && control !== undefined ? { control } : {}),
      ),
    );
    expect(await faultOf(move(made))).toMatchObject({ code: "install-failed" });
    expect(await versions(made)).not.toEqual(before);
    await made.acts().install({ to: old, from: "kept", why: "window" });
    expect(await versions(made)).toEqual(before);
    expect(audit(made)).toBe("");
  });

  test.each(["unpack", "install"] as const)(
    "goes back where it did not finish with the agent still at its old version, and the companion ahead by %s",
    async (what) => {
      const made = await scene(pair(locked));
      await cutOff(made, () => made.dpkg(what, file(libs, wanted)));
      expect((await versions(made))[1]).toContain("15.4.6");
      await made.acts().mend();
      await made.acts().install({ to: old, from: "kept", why: "window" });
      expect(await versions(made)).toEqual(before);
      expect(audit(made)).toBe("");
    },
  );

  const moved = "opt/svc/moved";
  const takesOver = "Breaks: svc-ent-libs (<< 15.4.6)\nReplaces: svc-ent-libs (<< 15.4.6)";

  test("takes a file back that has gone from one to the other, and brings it again", async () => {
    const made = await scene(
      pair(
        (version) =>
          version === wanted
            ? { control: `Depends: svc-ent-libs (= ${version})\n${takesOver}`, paths: [moved] }
            : locked(version),
        (version) => (version === old ? { paths: [moved] } : {}),
      ),
    );
    await move(made);
    await made.acts().settle();
    await goBack(made);
    expect(await versions(made)).toEqual(before);
    expect(isThere(made, moved)).toBe(true);
    await made.acts("back").install({ to: wanted, from: "kept", why: "rollback" });
    expect(await versions(made)).toEqual(after);
    expect(isThere(made, moved)).toBe(true);
  });

  test("takes files back of which each has gone to the other: whoever goes first, the second would take one along", async () => {
    const [ours, theirs] = ["opt/svc/ours", "opt/svc/theirs"];
    const exchange = (other: string): string => `Breaks: ${other} (<< 15.4.6)\nReplaces: ${other} (<< 15.4.6)`;
    const made = await scene(
      pair(
        (version) =>
          version === wanted
            ? { control: `Depends: svc-ent-libs (= ${version})\n${exchange(libs)}`, paths: [theirs] }
            : { ...locked(version), paths: [ours] },
        (version) => (version === wanted ? { control: exchange(agent), paths: [ours] } : { paths: [theirs] }),
      ),
    );
    await move(made);
    await made.acts().settle();
    expect([isThere(made, ours), isThere(made, theirs)]).toEqual([true, true]);
    await goBack(made);
    expect(await versions(made)).toEqual(before);
    expect([isThere(made, ours), isThere(made, theirs)]).toEqual([true, true]);
  });

  describe.each(["=", ">="])("of which one pre-depends on the other (%s)", (relation) => {
    const preDepends = pair((version) => ({ control: `Pre-Depends: svc-ent-libs (${relation} ${version})` }));

    test("goes forth and back", async () => {
      const made = await scene(preDepends);
      await move(made);
      await made.acts().settle();
      expect(await versions(made)).toEqual(after);
      await goBack(made);
      expect(await versions(made)).toEqual(before);
      await made.acts("back").install({ to: wanted, from: "kept", why: "rollback" });
      expect(await versions(made)).toEqual(after);
    });

    test("goes back where something else of the host lacks what it needs: apt makes no plan at all then", async () => {
      const made = await scene([...preDepends, { name: "lacking", version: "1", control: "Depends: nowhere" }]);
      await move(made);
      await made.acts().settle();
      made.dpkg("unpack", fileName({ name: "lacking", version: "1" }));
      await goBack(made);
      expect(await versions(made)).toEqual(before);
      await made.acts("back").install({ to: wanted, from: "kept", why: "rollback" });
      expect(await versions(made)).toEqual(after);
    });

    test.each([
      { title: "before anything of it was done", done: () => undefined },
      { title: "with the companion unpacked", done: ({ dpkg }: Scene) => dpkg("unpack", file(libs, wanted)) },
      { title: "with the companion in place", done: ({ dpkg }: Scene) => dpkg("install", file(libs, wanted)) },
    ])("is ended from the kept files where it did not finish $title", async ({ done }) => {
      const made = await scene(preDepends);
      await cutOff(made, () => done(made));
      await made.acts().mend();
      await made.acts().install({ to: wanted, from: "kept", why: "window" });
      expect(await versions(made)).toEqual(after);
      expect(audit(made)).toBe("");
    });
  });

  describe("that adds one", () => {
    const adds = [
      ...pair((version) => ({ control: `Depends: svc-ent-libs (= ${version})${version === wanted ? ", extra" : ""}` })),
      { name: extra, version: "1" },
      { name: "other", version: "1" },
    ];

    test("puts it in order where it did not finish while that was unpacked: nothing could be installed any more", async () => {
      const made = await scene(adds);
      await cutOff(made, async () => {
        made.dpkg("unpack", file(extra, "1"));
        await writeStatus(made.on.root, "install reinstreq half-installed", extra);
      });
      await made.acts().mend();
      expect(await versions(made, extra)).toEqual([...before, "1 half-way"]);
      // What cannot be had any more is not needed: its file is kept.
      await scratch.repository(
        `stock-${repositories}`,
        adds.filter(({ name, version }) => name !== extra && version !== wanted),
      );
      await made.acts().refresh();
      await made.acts().install({ to: old, from: "kept", why: "window" });
      await made.acts().settle();
      expect(await versions(made, extra)).toEqual([...before, "1 whole"]);
      expect(readLedger(made.paths)).toMatchObject({ move: undefined, beside: [libs] });
      made.on.command("apt-get", "-qq", "-y", "install", "other");
    });

    test("brings it once more where it has gone since it was taken back", async () => {
      const made = await scene(adds);
      await move(made);
      await made.acts().settle();
      await goBack(made);
      expect(await versions(made, extra)).toEqual([...before, "1 whole"]);
      made.on.command("apt-get", "-qq", "-y", "autoremove");
      expect(await versions(made, extra)).toEqual([...before, "absent"]);
      await made.acts("back").install({ to: wanted, from: "kept", why: "rollback" });
      expect(await versions(made, extra)).toEqual([...after, "1 whole"]);
    });
  });
});
