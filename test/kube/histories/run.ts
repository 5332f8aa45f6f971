// npm run kube:histories -- [--seed N] [--count N] [--path P] [--planted BUG]: random histories of a cluster against the updater's decisions.
import * as fc from "fast-check";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { histories, play } from "./history.ts";
import { plants } from "./updater.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    count: { type: "string", default: "1000" },
    path: { type: "string" },
    planted: { type: "string" },
  },
});
const [seed, numRuns] = [whole("seed", values.seed), whole("count", values.count)];
const again = values.path === undefined ? {} : { path: values.path };
const planted = plants.find((one) => one === values.planted);
if (planted !== values.planted) throw new Error(`--planted is one of ${plants.join(", ")}`);
const began = performance.now();
const result = await fc.check(
  fc.asyncProperty(histories, (history) => play(history, planted)),
  { seed, numRuns, ...again },
);
const seconds = ((performance.now() - began) / 1000).toFixed(1);
if (result.failed) {
  for (const line of [result.counterexample?.[0].places, ...(result.counterexample?.[0].happened ?? [])])
    console.log(JSON.stringify(line));
  console.log(`\nBROKEN: ${String(result.errorInstance)}`);
  console.log(`again: npm run kube:histories -- --seed ${seed} --count ${numRuns} --path ${result.counterexamplePath}`);
  process.exitCode = 1;
} else console.log(`${result.numRuns} histories in ${seconds} s (seed ${seed}): no promise was broken`);

function whole(flag: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${flag} is a whole number, not ${text}`);
  return Number(text);
}
