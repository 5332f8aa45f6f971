import { describe, expect, test } from "vitest";
import { mutantsOf } from "./mutate.ts";
import { plant, turn } from "./plant.ts";
import { filesOf, isTestOf } from "./reach.ts";
import { drawn } from "./sample.ts";

function changes(source: string): readonly string[] {
  return mutantsOf("some.ts", source).map(({ was, becomes }) => `${was} -> ${becomes}`);
}

describe("the changes that a test should notice", () => {
  test.each([
    ["a guard", "if (a) b();", ["a -> false", "a -> !(a)", "b(); -> "]],
    ["a condition", "c = a ? b : 0;", ["c = a ? b : 0; -> ", "a -> !(a)", "0 -> 1"]],
    ["either side of a condition", "if (a && b) {}", ["a && b -> false", "a && b -> a", "a && b -> b"]],
    ["a bound", "f(a > 5);", ["f(a > 5); -> ", "a > 5 -> a >= 5", "a > 5 -> a <= 5", "5 -> 6", "5 -> 4"]],
    ["a result", "function f() { return a; }", ["a -> undefined"]],
    ["a word among others", 'f(a === "up", "down");', ['a === "up" -> a !== "up"', '"up" -> "down"', '"down" -> "up"']],
    ["a fault that is thrown", "throw a;", ["throw a; -> "]],
    ["who is asked", "const a = b.some(f);", ["b.some(f) -> b.every(f)"]],
  ])("%s", (_title, source, found) => {
    expect(changes(source)).toEqual(expect.arrayContaining(found));
  });

  test.each([
    ["types", 'type A = "up" | "down"; let a: A | 5;'],
    ["what is imported", 'import { a } from "./b.ts";'],
    ["sentences", "const a = `an ${b}`, c = 'the agent is not well';"],
    ["keys", 'const a = { "no-space": b };'],
    ["parts of a chain", "const a = b?.c.some(f);"],
  ])("are none of %s", (_title, source) => {
    expect(changes(source)).toEqual([]);
  });
});

const source = 'export function f(a) { if (a > 2 && a !== 4) throw new Error("big"); return a === 1 ? "one" : "many"; }';
const planted = mutantsOf("some.js", source).map((mutant, at) => ({ ...mutant, id: at + 1 }));

async function withTurnOf(id: number): Promise<(a: number) => unknown> {
  const own = `const ${turn} = (asked) => asked === ${id};\n${plant(source, planted)}`;
  const module = (await import(`data:text/javascript,${encodeURIComponent(own)}`)) as { f: (a: number) => unknown };
  return module.f;
}

test("a file does what it did while no change in it has its turn, and what the change says when it has", async () => {
  const all = [0, ...planted.map(({ id }) => id)];
  const told = new Map<number, string>();
  for (const id of all) {
    const f = await withTurnOf(id);
    told.set(id, [1, 2, 3, 4, 5].map((a) => outcome(f, a)).join(" "));
  }
  expect(told.get(0)).toBe("one many big many big");
  const same = planted.filter(({ id }) => told.get(id) === told.get(0));
  expect(same).toEqual([]);
});

function outcome(f: (a: number) => unknown, a: number): string {
  try {
    return String(f(a));
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

test("a seed draws the same ones again", () => {
  const all = Array.from({ length: 50 }, (_, at) => at);
  expect(drawn(all, { count: 9, seed: 3 })).toEqual(drawn(all, { count: 9, seed: 3 }));
  expect(drawn(all, { count: 9, seed: 3 })).not.toEqual(drawn(all, { count: 9, seed: 4 }));
  expect(new Set(drawn(all, { count: 50, seed: 5 })).size).toBe(50);
});

test.each([
  { room: "package", in: ["package/once.ts", "package/apt.ts", "package/apt/argv.ts"], out: ["host/paths.ts"] },
  {
    room: "package/apt",
    in: ["package/apt/argv.ts", "package/apt/examine/audit.ts"],
    out: ["package/apt.ts", "package/yum/argv.ts"],
  },
  { room: "package/*", in: ["package/once.ts", "package/apt.ts"], out: ["package/apt/argv.ts"] },
])("the files of $room", ({ room, in: inside, out }) => {
  const files = filesOf(room);
  expect(files).toEqual(expect.arrayContaining(inside.map((path) => `src/${path}`)));
  for (const path of out) expect(files).not.toContain(`src/${path}`);
});

test.each([
  ["package", "test/package/apt/argv.test.ts", true],
  ["package", "test/packaging/once.test.ts", false],
  ["package/*", "test/package/apt/argv.test.ts", true],
  ["package/apt", "test/package/apt/examine/audit.test.ts", true],
  ["package/apt", "test/package/apt.test.ts", true],
  ["package/apt", "test/package/detect.test.ts", false],
])("of %s, %s is a test of its own: %s", (room, path, isIts) => {
  expect(isTestOf(room, path)).toBe(isIts);
});
