// node test/mutants/run.ts [--seed N] [--count N] [--rooms A,B] [--by room|all] [--workers N]: how many small changes of the code the unit
// tests notice. By `room`, the tests of the room itself; by `all`, every one that imports what is changed. A room may be a folder of one
// (package/apt), or what lies directly in it (package/*).
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { equivalent, type Equivalent } from "./equivalent.ts";
import { judge } from "./judge.ts";
import { mutantsOf, type Mutant } from "./mutate.ts";
import type { Planted } from "./plant.ts";
import { filesOf } from "./reach.ts";
import { drawn } from "./sample.ts";

const usual = "decide,plan,window,route,pass,package";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    count: { type: "string", default: "200" },
    rooms: { type: "string", default: usual },
    by: { type: "string", default: "room" },
    workers: { type: "string", default: "2" },
  },
});

const [seed, count, workers] = [whole("seed", values.seed), whole("count", values.count), whole("workers", values.workers)];
const by = ({ room: "the room's tests", all: "all tests" } as const)[values.by];
if (by === undefined) throw new Error(`--by is room or all, not ${values.by}`);
console.log(`seed ${seed}: ${count} mutants a room, by ${by}`);
for (const room of values.rooms.split(",")) {
  const began = performance.now();
  const all = filesOf(room).flatMap((file) => mutantsOf(file, readFileSync(join(import.meta.dirname, "../..", file), "utf8")));
  if (all.length === 0) throw new Error(`--rooms: there is nothing to change in src/${room}`);
  const stale = equivalent.filter((one) => one.file.startsWith(`src/${room}/`) && !all.some((mutant) => isSame(one, mutant)));
  const sample = drawn(all, { count, seed });
  const told = sample.filter((mutant) => !equivalent.some((one) => isSame(one, mutant)));
  const mutants: readonly Planted[] = told.map((mutant, at) => ({ ...mutant, id: at + 1 }));
  const { noticed, onceOnly } = await judge({
    room,
    mutants,
    workers,
    by: values.by === "all" ? "all tests" : "the room's tests",
  });
  const survivors = mutants.filter(({ id }) => !noticed.has(id));
  const share = ((100 * noticed.size) / mutants.length).toFixed(1);
  const [left, took] = [sample.length - mutants.length, ((performance.now() - began) / 1000).toFixed(0)];
  console.log(
    `\n${room}: ${share} % noticed, ${noticed.size} of ${mutants.length} (${left} equivalent, ${all.length} in all), in ${took} s`,
  );
  for (const one of survivors) console.log(`  SURVIVED ${one.file}:${one.line}  ${short(one.was)}  ->  ${short(one.becomes)}`);
  for (const { file, was, becomes } of stale) console.log(`  no longer in ${file}: ${was}  ->  ${becomes} (equivalent.ts)`);
  for (const test of onceOnly) console.log(`  run once only: ${test}`);
}

function isSame(one: Equivalent, { file, within, was, becomes }: Mutant): boolean {
  return one.file === file && one.within === within && one.was === was && one.becomes === becomes;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  if (line === "") return "nothing";
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}

function whole(flag: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Error(`--${flag} is a whole number, not ${text}`);
  return Number(text);
}
