import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { blockIn, project } from "../documents.ts";

const src = join(project, "src");

function foldersOf(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

const floors = new Map(foldersOf(src).map((floor) => [floor, foldersOf(join(src, floor))]));
const rooms = [...floors.values()].flat();

/** What each floor may import of the others. */
const below: Readonly<Record<string, readonly string[]>> = {
  cluster: ["updater", "proxy", "kube", "machine", "rules"],
  updater: ["machine", "rules"],
  proxy: ["machine", "rules"],
  kube: ["machine", "rules"],
  machine: ["rules"],
  rules: [],
};

/** The rooms of the drawing from top to bottom: what stands between two lines of arrows is one level. */
const levels: readonly (readonly string[])[] = blockIn("rooms")
  .split(/\n[ |]+(?=\n)/)
  .map((part) => part.split(/\n|\s{2,}/).filter((cell) => rooms.includes(cell)))
  .filter((level) => level.length > 0);

function roomOf(path: string): string {
  return relative(src, path).split("/")[1] ?? "";
}

/** Each file with those that it imports, by `import()` too. */
const files = new Map(
  readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((name) => {
      const path = join(src, name);
      const found = readFileSync(path, "utf8").matchAll(/ from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g);
      return [path, [...found].map(([, one, other]) => resolve(dirname(path), one ?? other ?? ""))] as const;
    }),
);

/** "from imports to", each once. */
function imports(): readonly (readonly [from: string, to: string])[] {
  const found = new Map<string, readonly [string, string]>();
  for (const [path, imported] of files) {
    for (const each of imported) {
      const [from, to] = [roomOf(path), roomOf(each)];
      if (rooms.includes(from) && from !== to) found.set(`${from} ${to}`, [from, to]);
    }
  }
  return [...found.values()];
}

/** Takes away the files that import none of those left, until each that is left leads back to itself. */
function circles(): readonly string[] {
  const left = new Map(files);
  for (let before = 0; before !== left.size;) {
    before = left.size;
    for (const [path, imported] of left) if (!imported.some((each) => left.has(each))) left.delete(path);
    const needed = new Set([...left.values()].flat());
    for (const path of left.keys()) if (!needed.has(path)) left.delete(path);
  }
  return [...left.keys()].map((path) => relative(src, path));
}

test("ARCHITECTURE's drawing has every room of src once", () => {
  expect(levels.flat().toSorted()).toEqual(rooms.toSorted());
});

test("ARCHITECTURE lists the floors and their rooms as they are", () => {
  const listed = blockIn("floors")
    .split("\n")
    .map((line) => /^ {4}src\/(\w+)\/ +(\w.*)$/.exec(line))
    .flatMap((found) => (found === null ? [] : [[found[1]!, found[2]!.split(/ +/).toSorted()] as const]));
  expect(new Map(listed)).toEqual(new Map([...floors].map(([floor, inside]) => [floor, [...inside].toSorted()])));
});

test("a floor imports the floors below it", () => {
  const floorOf = (room: string): string => [...floors].find(([, inside]) => inside.includes(room))![0];
  const upwards = imports().filter(([from, to]) => {
    const [one, other] = [floorOf(from), floorOf(to)];
    return one !== other && !below[one]!.includes(other);
  });
  expect(upwards).toEqual([]);
});

test("the rooms of a level import those below it, and only pure rooms each other", () => {
  const levelOf = (room: string): number => levels.findIndex((level) => level.includes(room));
  const pure = levels.length - 1;
  const upwards = imports().filter(([from, to]) => {
    if (levelOf(from) === pure) return levelOf(to) !== pure;
    return levelOf(to) <= levelOf(from);
  });
  expect(upwards).toEqual([]);
  expect(imports().length).toBeGreaterThan(100);
});

test("no file leads back to itself, not even by import()", () => {
  expect(circles()).toEqual([]);
});

test("what prints text imports no other room, and what describes values no fault", () => {
  const of = (room: string): readonly string[] => imports().flatMap(([from, to]) => (from === room ? [to] : []));
  expect(of("text")).toEqual([]);
  expect(of("shape")).not.toContain("fault");
});
