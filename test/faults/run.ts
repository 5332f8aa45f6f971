/*
 * The fault campaign: every fault of the table on real booted hosts, and the golden path after each.
 *     npm run faults -- [--only PATTERN] [--families apt,yum,zypper] [--kills N] [--parallel N] [--list]
 *                       [--times N] [--minutes N] [--seed N] [--ledger FILE] [--tally FILE]
 * --only is a regular expression for "ROW NAME FAMILY"; --kills is how many there are for each step and package manager;
 * without it each of its victims is killed once with the network afterwards, and once without.
 * --times is how often each is played; no play begins after so many --minutes. --ledger adds each play to a file: with it
 * those are played that have fewer plays at this commit (than --times, or five), the fewest first, so that several runs
 * come to one result. --tally tells what such a file comes to, and plays nothing.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { missingForLab } from "../system/lab/machine.ts";
import { runCampaign, select } from "./campaign.ts";
import { commitUnderTest } from "./commit.ts";
import { countPlays, neverPlayed, note, playedOf, readLedger, type Played } from "./ledger.ts";
import { playsToBelieve, titleOf } from "./play.ts";
import { tellResult, tellTotal, tellUnstaged } from "./print.ts";
import { seriesOf } from "./rounds.ts";
import { families } from "./scenario.ts";
import { faultTable } from "./table.ts";
import { tellTally } from "./tally.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    families: { type: "string", default: families.join(",") },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    kills: { type: "string" },
    parallel: { type: "string", default: "3" },
    times: { type: "string" },
    minutes: { type: "string" },
    ledger: { type: "string" },
    tally: { type: "string" },
    list: { type: "boolean", default: false },
  },
});

const table = faultTable({ perStep: values.kills === undefined ? "each aim once" : whole("kills", values.kills) });
const wanted = values.families.split(",");
const selection = { only: new RegExp(values.only, "i"), families: families.filter((family) => wanted.includes(family)) };
const scenarios = select(table.scenarios, selection);
const unstaged = table.unstaged.filter(({ row, name }) => selection.only.test(`${row} ${name}`));

if (values.tally !== undefined) console.log(tellTally(readLedger(values.tally), scenarios));
else if (values.list) for (const scenario of scenarios) console.log(titleOf(scenario));
else process.exit(await play());

async function play(): Promise<number> {
  const missing = await missingForLab();
  if (missing.length > 0) {
    console.error(missing.join("\n"));
    return 69;
  }
  const [seed, parallel] = [whole("seed", values.seed), whole("parallel", values.parallel)];
  const { ledger } = values;
  const times = whole("times", values.times ?? String(ledger === undefined ? 1 : playsToBelieve));
  const titles = scenarios.map(titleOf);
  const commit = ledger === undefined ? "" : await commitUnderTest();
  const played: Played[] = ledger === undefined ? [] : readLedger(ledger).filter((one) => titles.includes(titleOf(one)));
  const before = countPlays(played, commit);
  const series = seriesOf(scenarios, { times, seed, played: (title) => before.get(title)?.plays ?? 0 });
  console.log(
    `seed ${seed}: ${scenarios.length} scenarios, ${series.flat().length} plays, ${parallel} hosts at a time` +
      (ledger === undefined ? "" : `, at ${commit} in ${ledger}`),
  );
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      console.log(`${signal}: the hosts are stopped, and what was played is kept`);
      stop.abort();
    });
  }
  const began = performance.now();
  const results = await runCampaign({
    series,
    parallel,
    stop: stop.signal,
    endsAtMs: values.minutes === undefined ? Infinity : began + whole("minutes", values.minutes) * 60_000,
    tell: (result) => {
      const one = playedOf(result, commit);
      played.push(one);
      if (ledger !== undefined) note(ledger, one);
      console.log(tellResult(result, countPlays(played, commit).get(titleOf(result.scenario)) ?? neverPlayed));
    },
  });
  const counts = countPlays(played, commit);
  const missed = new Set(results.filter(({ kind }) => kind === "not staged").map(({ scenario }) => titleOf(scenario)));
  const neverStaged = [...missed].filter((title) => !counts.has(title)).length;
  for (const row of unstaged) console.log(tellUnstaged(row));
  const total = tellTotal({ counts: [...counts.values()], unstaged: neverStaged + unstaged.length, times });
  console.log(`\n${total} (seed ${seed}, ${Math.round((performance.now() - began) / 1000)} s)`);
  if (stop.signal.aborted) return 130;
  return [...counts.values()].some(({ lostSeeds }) => lostSeeds.length > 0) ? 1 : 0;
}

function whole(flag: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${flag} is a whole number, not ${text}`);
  return Number(text);
}
