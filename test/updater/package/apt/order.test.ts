import { describe, expect, test } from "vitest";
import { contentsIn, pathsOf } from "../../../../src/updater/package/apt/contents.ts";
import { inOrder } from "../../../../src/updater/package/apt/install-files.ts";
import type { FileOnHost, FileSet } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { answering, type Answers } from "./answers.ts";
import { agent } from "./given.ts";

const [libs, data] = ["svc-ent-libs", "svc-ent-data"] as const;

function files(...names: readonly string[]): FileSet {
  const file = (name: string): FileOnHost => ({
    name: name as PackageName,
    version: "1" as PackageVersion,
    path: `/kept/${name}.deb`,
  });
  const [first = agent, ...others] = names;
  return [file(first), ...others.map(file)];
}

/** What each has now, and what its file brings. */
function moving(now: Readonly<Record<string, string>>, then: Readonly<Record<string, string>>): Answers {
  const has = Object.entries(now).map(([name, path]) => [new RegExp(`--listfiles ${name}$`), `/.\n${path}\n`] as const);
  const brings = Object.entries(then).map(
    ([name, path]) => [new RegExp(`--fsys-tarfile.* /kept/${name}.deb$`), `./\n.${path}\n`] as const,
  );
  return [...has, ...brings];
}

const refusing: Parameters<typeof inOrder>[0] = { ask: () => Promise.reject(new Error("it was asked")), root: "/" };

describe("the order in which files go in", () => {
  test("is apt's own on the way up, and one file has none: nobody is asked", async () => {
    expect(await inOrder(refusing, files(agent, libs, data), "up")).toEqual(files(agent, libs, data));
    for (const direction of ["down", "same"] as const)
      expect(await inOrder(refusing, files(agent), direction)).toEqual(files(agent));
  });

  const apart = { [agent]: "/a", [libs]: "/l", [data]: "/d" };
  test.each<
    [title: string, now: Readonly<Record<string, string>>, then: Readonly<Record<string, string>>, order: readonly string[]]
  >([
    ["nothing has gone from one to another", apart, apart, [data, libs, agent]],
    ["nothing is installed", {}, apart, [data, libs, agent]],
    [
      "a file goes back from the agent's package",
      { ...apart, [agent]: "/odd" },
      { ...apart, [libs]: "/odd" },
      [data, agent, libs],
    ],
    ["a file goes back from one that waits itself", { [agent]: "/l", [libs]: "/d" }, apart, [agent, libs, data]],
    ["each waits for another", { [agent]: "/l", [libs]: "/d", [data]: "/a" }, apart, [data, agent, libs]],
  ])("is the other way round where %s, but whoever gives goes first", async (_title, now, then, order) => {
    for (const direction of ["down", "same"] as const) {
      const ordered = await inOrder(answering(moving(now, then)), files(agent, libs, data), direction);
      expect(ordered.map(({ name }) => name)).toEqual(order);
    }
  });
});

test("the files of a package are its paths, without directories in a file of it", async () => {
  const calls = answering([
    [/--fsys-tarfile/, "./\n./usr/\n./usr/a\nusr/b\n/usr/c d\n"],
    [/--listfiles/, "/.\n/usr\n/usr/a\n"],
  ]);
  expect(await contentsIn(calls, "/x.deb")).toEqual(["/usr/a", "/usr/b", "/usr/c d"]);
  expect(await pathsOf(calls, agent)).toEqual(["/.", "/usr", "/usr/a"]);
});
