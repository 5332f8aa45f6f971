// node test/fuzz/run.ts [--seed N] [--count N] [--first N] [--target NAME]: seeded inputs against every parser of text that comes from outside.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { ownSource } from "./source.ts";
import { targets } from "./targets.ts";
import { fuzzWatched } from "./watched.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    count: { type: "string", default: "240000" },
    first: { type: "string", default: "0" },
    target: { type: "string" },
  },
});

const [seed, count, first] = [whole("seed", values.seed), whole("count", values.count), whole("first", values.first)];
if (values.target !== undefined && !targets.some(({ name }) => name === values.target)) {
  throw new Error(`--target is one of ${targets.map(({ name }) => name).join(", ")}`);
}

console.log(`seed ${seed}: ${count} inputs from ${first} on, ${targets.length} targets`);
const began = performance.now();
const { findings, tallies } = await fuzzWatched({ seed, count, first, source: ownSource, only: values.target, mostFindings: 10 });
for (const [name, { accepted, refused, slowestMs }] of tallies) {
  console.log(`${name.padEnd(22)}${cell(accepted)} accepted${cell(refused)} refused   slowest ${slowestMs.toFixed(1)} ms`);
}
for (const { target, index, input, told } of findings) {
  console.log(`\nFOUND in ${target}, seed ${seed}, index ${index}\n  input: ${input}\n  ${told}`);
  console.log(`  again: npm run fuzz -- --seed ${seed} --first ${index} --count 1`);
}
console.log(`\n${findings.length} findings in ${((performance.now() - began) / 1000).toFixed(1)} s (seed ${seed})`);
process.exitCode = findings.length === 0 ? 0 : 1;

function whole(flag: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${flag} is a whole number, not ${text}`);
  return Number(text);
}

function cell(number: number): string {
  return String(number).padStart(9);
}
