import { mutate } from "./mutate.ts";
import type { Random } from "./random.ts";

/** JSON text of a value that was changed in one place or two: a key gone, added, renamed, a value replaced, its text spoiled. */
export function mutatedJson(random: Random, value: unknown): string {
  if (random.onceIn(4)) return JSON.stringify(value);
  let changed = value;
  for (let round = random.pick([1, 1, 2]); round > 0; round -= 1) changed = changedAt(random, changed, 0);
  const text = JSON.stringify(changed) ?? "";
  return random.onceIn(6) ? mutate(random, text) : text;
}

/** Goes down to some place and changes what is there. */
function changedAt(random: Random, value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || (depth > 0 && random.onceIn(6))) return changedLeaf(random, value);
  if (Array.isArray(value)) return changedList(random, value, depth);
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const entry = entries[at];
  if (entry === undefined || random.onceIn(8)) return fromEntries([...entries, [random.pick(strangeKeys), strangeValue(random)]]);
  const [key, inner] = entry;
  if (random.onceIn(10)) return fromEntries(entries.toSpliced(at, 1));
  const renamed: readonly [string, unknown] = random.onceIn(14)
    ? [mutate(random, key), inner]
    : [key, changedAt(random, inner, depth + 1)];
  return fromEntries(entries.toSpliced(at, 1, [...renamed]));
}

function changedList(random: Random, list: readonly unknown[], depth: number): unknown {
  if (random.onceIn(6))
    return Array.from({ length: random.pick([0, 1, 5, 6, 10, 11, 32, 33]) }, () => list[0] ?? strangeValue(random));
  if (list.length === 0) return [strangeValue(random)];
  const at = random.below(list.length);
  return list.map((item, index) => (index === at ? changedAt(random, item, depth + 1) : item));
}

function changedLeaf(random: Random, value: unknown): unknown {
  if (typeof value === "string" && !random.onceIn(3)) return mutate(random, value);
  if (typeof value === "number" && random.onceIn(2))
    return random.pick([value + 1, value - 1, -value, value + 0.5, String(value)]);
  return strangeValue(random);
}

function strangeValue(random: Random): unknown {
  const words = [
    "",
    " ",
    "none",
    "version",
    "constructor",
    "toString",
    "__proto__",
    "true",
    "1.2.3",
    "v1.2.3",
    "x".repeat(random.pick([64, 256, 1000, 2000])),
  ];
  const values = [null, true, false, 0, -0, 1, 23, 24, -1, 0.5, 1e15, 2 ** 53, [], {}, [[]], { kind: "none" }, [null], ...words];
  return random.onceIn(40) ? nested(random.pick([3, 50, 400])) : random.pick(values);
}

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { kind: value } : [value];
  return value;
}

const strangeKeys: readonly string[] = [
  "__proto__",
  "constructor",
  "toString",
  "kind",
  "schema",
  "extra",
  "version",
  "",
  "agent.package",
  "until",
  "lift",
];

/** Keeps a key like __proto__ as a key. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}
