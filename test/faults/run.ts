/*
 * The fault campaign: every fault of the table on real booted hosts, and the golden path after each.
 *     npm run faults -- [--only PATTERN] [--families apt,yum,zypper] [--seed N] [--kills N] [--parallel N] [--list]
 * --only is a regular expression for "ROW NAME FAMILY"; --kills is how many there are for each step and package manager.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { missingForLab } from "../system/lab/machine.ts";
import { runCampaign, select } from "./campaign.ts";
import { tellResult, tellTotal, tellUnstaged } from "./print.ts";
import { families } from "./scenario.ts";
import { faultTable } from "./table.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    families: { type: "string", default: families.join(",") },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    kills: { type: "string", default: "10" },
    parallel: { type: "string", default: "3" },
    list: { type: "boolean", default: false },
  },
});

const missing = await missingForLab();
if (missing.length > 0) {
  console.error(missing.join("\n"));
  process.exit(69);
}
const [seed, perStep, parallel] = [whole("seed", values.seed), whole("kills", values.kills), whole("parallel", values.parallel)];
const table = faultTable({ perStep });
const wanted = values.families.split(",");
const selection = { only: new RegExp(values.only, "i"), families: families.filter((family) => wanted.includes(family)) };
const scenarios = select(table.scenarios, selection);
const unstaged = table.unstaged.filter(({ row, name }) => selection.only.test(`${row} ${name}`));

if (values.list) {
  for (const { row, name, family } of scenarios) console.log(`${row} ${name} ${family}`);
} else {
  console.log(`seed ${seed}: ${scenarios.length} scenarios, ${parallel} hosts at a time`);
  const began = performance.now();
  const results = await runCampaign({ scenarios, seed, parallel, tell: (result) => console.log(tellResult(result)) });
  for (const row of unstaged) console.log(tellUnstaged(row));
  console.log(`\n${tellTotal(results, unstaged.length)} (seed ${seed}, ${Math.round((performance.now() - began) / 1000)} s)`);
  process.exitCode = results.some(({ kind }) => kind === "lost") ? 1 : 0;
}

function whole(flag: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${flag} is a whole number, not ${text}`);
  return Number(text);
}
