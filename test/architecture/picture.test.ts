import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { blockIn, project } from "../documents.ts";

const src = join(project, "src");
const rooms = readdirSync(src, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The rooms of the drawing from top to bottom: what stands between two lines of arrows is one level. */
const levels: readonly (readonly string[])[] = blockIn("rooms")
  .split(/\n[ |]+(?=\n)/)
  .map((part) => part.split(/\n|\s{2,}/).filter((cell) => rooms.includes(cell)))
  .filter((level) => level.length > 0);

function roomOf(path: string): string {
  return relative(src, path).split("/", 1)[0]!;
}

/** "from imports to", each once. */
function imports(): readonly (readonly [from: string, to: string])[] {
  const found = new Map<string, readonly [string, string]>();
  for (const name of readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"))) {
    const path = join(src, name);
    for (const [, one, other] of readFileSync(path, "utf8").matchAll(/ from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)) {
      const [from, to] = [roomOf(path), roomOf(resolve(dirname(path), one ?? other ?? ""))];
      if (rooms.includes(from) && from !== to) found.set(`${from} ${to}`, [from, to]);
    }
  }
  return [...found.values()];
}

test("ARCHITECTURE's drawing has every room of src once", () => {
  expect(levels.flat().toSorted()).toEqual(rooms.toSorted());
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
