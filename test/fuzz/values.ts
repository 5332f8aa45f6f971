import { mutate } from "./mutate.ts";
import type { Random } from "./random.ts";

/** JSON text of a value that was changed in one place or two: a key gone, added, renamed, a value replaced, its text spoiled. */
export function mutatedJson(random: Random, value: unknown): string {
  if (random.onceIn(4)) return JSON.stringify(value);
  let changed = value;
  for (let round = random.pick([1, 1, 2]); round > 0; round -= 1) changed = changedAt(random, changed);
  const text = JSON.stringify(changed) ?? "";
  return random.onceIn(6) ? mutate(random, text) : text;
}

/** Goes down to some place and changes what is there. */
function changedAt(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || random.onceIn(8)) return changedLeaf(random, value);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.onceIn(6)) return Array.from({ length: random.pick([1, 11, 33]) }, () => value[0] ?? null);
    const at = random.below(value.length);
    return value.with(at, changedAt(random, value[at]));
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const [key, inner] = entries[at] ?? [random.pick(strangeKeys), null];
  if (random.onceIn(10)) return Object.fromEntries(entries.toSpliced(at, 1));
  const changed = [random.onceIn(14) ? mutate(random, key) : key, changedAt(random, inner)] as const;
  // Keeps a key like __proto__ as a key.
  return Object.fromEntries([...entries.slice(0, at), changed, ...entries.slice(at + 1)]);
}

function changedLeaf(random: Random, value: unknown): unknown {
  if (typeof value === "string" && !random.onceIn(3)) return mutate(random, value);
  return random.onceIn(40) ? nested(random.pick([3, 50, 400])) : random.pick(strangeValues);
}

function nested(depth: number): unknown {
  return depth === 0 ? [] : depth % 2 === 0 ? { kind: nested(depth - 1) } : [nested(depth - 1)];
}

const strangeWords = ["", " ", "none", "constructor", "__proto__", "true", "1.2.3", "x".repeat(300), "x".repeat(2000)];
const strangeValues: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  0.5,
  1e15,
  2 ** 53,
  [],
  {},
  [[]],
  { kind: "none" },
  ...strangeWords,
];
const strangeKeys: readonly string[] = ["__proto__", "constructor", "kind", "schema", "extra", "", "agent.package", "later"];
