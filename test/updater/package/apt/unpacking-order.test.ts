import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askApt } from "../../../../src/updater/package/apt/ask.ts";
import { contentsIn, pathsOf } from "../../../../src/updater/package/apt/contents.ts";
import { inOrder } from "../../../../src/updater/package/apt/unpacking-order.ts";
import type { Change, FileOnHost, FileSet } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { runBehind } from "../run.ts";
import { asRoot, fileName, makeScratch, missingTools, type Built, type Scratch } from "../scratch.ts";
import { agent } from "./given.ts";
import { aptHost, type Host } from "./on-host.ts";

const missing = missingTools();
if (missing !== undefined) console.warn(`SKIPPED: the tests with the real apt and dpkg: ${missing}`);

const [libs, data] = ["svc-ent-libs", "svc-ent-data"] as PackageName[] as [PackageName, PackageName];
const odd = "opt/svc/größe and more";

/** Who has which file, in each version. */
const owners: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "15.4.5": { [agent]: ["opt/svc/a"], [libs]: ["opt/svc/l", odd], [data]: ["opt/svc/d"] },
  // One file has gone from the libraries to the agent.
  "15.4.6": { [agent]: ["opt/svc/a", odd], [libs]: ["opt/svc/l"], [data]: ["opt/svc/d"] },
  // One from the data to the libraries as well.
  "15.4.7": { [agent]: ["opt/svc/a", odd], [libs]: ["opt/svc/l", "opt/svc/d"], [data]: ["opt/svc/other"] },
  // Each has a file that is another one's in 15.4.5.
  "15.4.8": { [agent]: [odd], [libs]: ["opt/svc/d"], [data]: ["opt/svc/a"] },
  // Nothing has gone anywhere.
  "15.4.9": { [agent]: ["opt/svc/a"], [libs]: ["opt/svc/l", odd], [data]: ["opt/svc/d", "opt/svc/new"] },
};

const stock: readonly Built[] = Object.entries(owners).flatMap(([version, of]) =>
  Object.entries(of).map(([name, paths]) => ({ name, version, paths })),
);

let scratch: Scratch;
let repository: string;

async function host(version?: string): Promise<Host> {
  const made = await aptHost(scratch, { "ours.list": `deb [trusted=yes] file:${repository} ./\n` });
  await made.apt.refresh(agent);
  const names = version === undefined ? [] : [agent, libs, data].map((name) => `${name}=${version}`);
  if (names.length > 0) made.command("apt-get", "-qq", "-y", "install", ...names);
  return made;
}

function asking({ root }: Host): Parameters<typeof inOrder>[0] {
  return { ask: askApt(runBehind(asRoot), root), root };
}

const refusing: Parameters<typeof inOrder>[0] = { ask: () => Promise.reject(new Error("it was asked")), root: "/" };

function files(version: string, ...others: readonly PackageName[]): FileSet {
  const file = (name: PackageName): FileOnHost => {
    return { name, version: version as PackageVersion, path: join(repository, fileName({ name, version })) };
  };
  return [file(agent), ...others.map(file)];
}

async function order(
  calls: Parameters<typeof inOrder>[0],
  set: FileSet,
  direction: Change["direction"],
): Promise<readonly string[]> {
  return (await inOrder(calls, set, direction)).map(({ name }) => name);
}

describe.skipIf(missing !== undefined)("with the real dpkg", () => {
  beforeAll(async () => {
    scratch = await makeScratch();
    repository = await scratch.repository("stock", stock);
  });
  afterAll(() => scratch.remove());

  describe("the order in which files go in", () => {
    test("is apt's own on the way up, and there is none of one: nobody is asked", async () => {
      expect(await order(refusing, files("15.4.6", libs, data), "up")).toEqual([agent, libs, data]);
      expect(await order(refusing, files("15.4.6"), "down")).toEqual([agent]);
      expect(await order(refusing, files("15.4.6"), "same")).toEqual([agent]);
    });

    test.each([
      { title: "nothing has gone from one to another", from: "15.4.9", expected: [data, libs, agent] },
      { title: "a file goes back from the agent's package", from: "15.4.6", expected: [data, agent, libs] },
      { title: "a file goes back from another that waits itself", from: "15.4.7", expected: [agent, libs, data] },
      { title: "each waits for another: all go in all the same", from: "15.4.8", expected: [data, agent, libs] },
      { title: "nothing is installed", from: undefined, expected: [data, libs, agent] },
    ])("is the other way round where $title, but whoever gives goes first", async ({ from, expected }) => {
      const on = asking(await host(from));
      for (const direction of ["down", "same"] as const) {
        expect(await order(on, files("15.4.5", libs, data), direction)).toEqual(expected);
      }
    });
  });

  describe("the files of a package", () => {
    test("are in its file without the directories that it shares with others", async () => {
      const on = asking(await host());
      const [, { path } = { path: "" }] = files("15.4.5", libs);
      expect([...(await contentsIn(on, path))].toSorted()).toEqual(
        ["/opt/svc/l", `/${odd}`, "/usr/share/svc-ent-libs/version"].toSorted(),
      );
    });

    test.each(["./usr/bin/svc", "usr/bin/svc", "/usr/bin/svc"])(
      "are found in a file of any tool, which has them as %s",
      async (path) => {
        expect(await contentsIn(asking(await host()), packed(path))).toEqual(["/usr/bin/svc"]);
      },
    );

    test("are those of the installed package, with its directories; of one that is not there there are none", async () => {
      const on = asking(await host("15.4.6"));
      expect(await pathsOf(on, agent)).toEqual(expect.arrayContaining(["/opt/svc", "/opt/svc/a", `/${odd}`]));
      expect(await pathsOf(on, agent)).not.toContain("");
      expect(await pathsOf(on, "nobody" as PackageName)).toEqual([]);
    });

    test("are none where there is no file", async () => {
      expect(await contentsIn(asking(await host()), "/nonexistent.deb")).toEqual([]);
    });
  });
});

/** A package file with this one in it, by that name. */
function packed(path: string): string {
  const tree = mkdtempSync(join(scratch.directory, "packed-"));
  writeFileSync(join(tree, "file"), "");
  const renamed = `--transform=s,.*,${path},`;
  execFileSync("tar", ["--create", "--absolute-names", renamed, "--file=data.tar", "file"], { cwd: tree });
  const deb = join(tree, "packed.deb");
  const members = [member("debian-binary", Buffer.from("2.0\n")), member("control.tar", Buffer.alloc(1024))];
  writeFileSync(
    deb,
    Buffer.concat([Buffer.from("!<arch>\n"), ...members, member("data.tar", readFileSync(join(tree, "data.tar")))]),
  );
  return deb;
}

/** As `ar` writes it; all of ours are of an even length. */
function member(name: string, content: Buffer): Buffer {
  const [time, owner, group, mode] = ["0".padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
  const head = `${name.padEnd(16)}${time}${owner}${group}${mode}${String(content.length).padEnd(10)}\u0060\n`;
  return Buffer.concat([Buffer.from(head), content]);
}
