import { describe, expect, test } from "vitest";
import { contentsIn, pathsOf } from "../../../../src/updater/package/apt/contents.ts";
import { inOrder } from "../../../../src/updater/package/apt/unpacking-order.ts";
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

async function ordered(rows: Answers, set: FileSet): Promise<readonly string[]> {
  return (await inOrder(answering(rows), set, "down")).map(({ name }) => name);
}

describe("files on the way down", () => {
  test("do not wait for themselves, and where all wait for one another go in all the same", async () => {
    expect(await ordered(moving({ [libs]: "/x" }, { [libs]: "/x" }), files(agent, libs))).toEqual([libs, agent]);
    const circle = moving({ [agent]: "/x", [libs]: "/y", [data]: "/z" }, { [agent]: "/z", [libs]: "/x", [data]: "/y" });
    expect(await ordered(circle, files(agent, libs, data))).toEqual([data, agent, libs]);
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
