import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runCampaign } from "../faults/campaign.ts";
import { titleOf, type Play } from "../faults/play.ts";
import { tellResult } from "../faults/print.ts";
import { seriesOf } from "../faults/rounds.ts";
import type { Scenario } from "../faults/scenario.ts";
import type { Result } from "../faults/series.ts";
import { faultTable } from "../faults/table.ts";
import { givenSeed } from "../given-seed.ts";
import { fileSystemsHere } from "./lab/disk.ts";
import type { Host } from "./lab/host.ts";
import { inLab } from "./lab/scenario.ts";

const table = faultTable({ perStep: "each aim once" });
/** What was lost is told with what plays it again. */
const seed = givenSeed();
const parallel = 2;
const longestMs = 1_200_000;

/** What the whole of `npm run faults` plays, cut to some minutes: "ROW NAME FAMILY". */
const short: readonly RegExp[] = [
  /^2 kill the updater at install, network down \(1\) yum$/,
  /^2 kill the actor at install, network down \(3\)/,
  /^2 kill the manager at install, network down \(5\) (?:apt|zypper)$/,
  /^3 kill the host at install, network down \(7\)/,
  /^4 kill the updater at back-install, network down \(1\) apt$/,
  /^4 kill the host at back-install, network down \(7\) zypper$/,
  /^4 kill the host at install, and the updater .* \(1\) yum$/,
  /^5 a version that takes the host down while it is installed yum$/,
  /^7 the state is half written apt$/,
  /^10 the network goes while the agent settles.* zypper$/,
  /^11 the rollback fails at its activation.* apt$/,
  /^12 a run by hand in the middle .* apt$/,
  /^21 the package's download ends in the middle apt$/,
  /^29 the window closes while the package is installed.* apt$/,
  /^31 an orderly poweroff while the package is installed (?:apt|yum)$/,
  /^41 kill the host at back-install, network down \(1\) zypper$/,
  /^42 kill the host at install, network down \(1\) (?:apt|yum)$/,
  /^42 kill the manager at back-install, network down \(3\) apt$/,
  /^42 apache2: .* caches lost, at back-install towards .* on ext4, network down apt$/,
  /^43 SIGKILL to the transaction's main process at install: .* apt$/,
  /^44 .* caches lost, at install towards .* on ext4, network down apt$/,
  /^44 .* caches lost, at install towards .* on xfs, network up zypper$/,
  /^45 systemd executes itself anew at install zypper$/,
  /^47 the binary is cut short, a bad version is served, the network is down.* yum$/,
  /^48 a version that failed is served again after another one.* zypper$/,
  /^50 the file that is offered as the agent is another package apt$/,
  /^51 the agent's user has a lease .* zypper$/,
];

test(
  "hosts survive what the campaign does to them, and walk the golden path afterwards",
  inLab(async () => {
    const here = await fileSystemsHere();
    const playable = table.scenarios.filter((scenario) => short.some((pattern) => pattern.test(titleOf(scenario))));
    expect(short.filter((pattern) => !playable.some((scenario) => pattern.test(titleOf(scenario))))).toEqual([]);
    const scenarios = playable.filter(({ fileSystem }) => fileSystem === undefined || here.includes(fileSystem));
    const series = seriesOf(scenarios, { times: 1, seed, played: () => 0 });
    const tellOnce = (result: Result): string => tellResult(result, { plays: 1, survived: 1 });
    const results = await runCampaign({ series, parallel, tell: (result) => console.log(tellOnce(result)) });
    expect(results.filter(({ kind }) => kind !== "survived").map(tellOnce)).toEqual([]);
    expect(results.length).toBe(scenarios.length);
  }),
  longestMs,
);

test(
  "a campaign that is stopped takes its hosts away, and keeps what was played",
  inLab(async () => {
    const stop = new AbortController();
    const hosts: Host[] = [];
    const named = (name: string, play: Scenario["play"]): Play => ({ scenario: { row: 1, name, family: "apt", play }, seed });
    const waits = named("waits", async ({ host }) => {
      hosts.push(host);
      stop.abort();
      await sleep(longestMs, undefined, { ref: false });
    });
    const series = [[named("goes well", () => Promise.resolve()), waits, named("never comes", () => Promise.resolve())]];
    const results = await runCampaign({ series, parallel: 1, tell: () => {}, stop: stop.signal });
    expect(results.map(({ kind, scenario: { name } }) => `${name}: ${kind}`)).toEqual(["goes well: survived"]);
    expect(hosts.map(({ directory }) => existsSync(directory))).toEqual([false]);
  }),
);

test("a campaign begins no play after its time", async () => {
  const series = seriesOf(table.scenarios, { times: 1, seed, played: () => 0 });
  expect(await runCampaign({ series, parallel: 2, tell: () => {}, endsAtMs: performance.now() })).toEqual([]);
});

test("no two scenarios of the campaign have one name, and every row of a host's is there", () => {
  const names = table.scenarios.map(titleOf);
  expect(new Set(names).size).toBe(names.length);
  const rows = new Set([...table.scenarios, ...table.unstaged].map(({ row }) => row));
  // The golden path, row 40, is walked after each of them; row 46 goes with row 16.
  const expected = Array.from({ length: 50 }, (_, index) => index + 1).filter((row) => row !== 40 && row !== 46);
  expect(expected.filter((row) => !rows.has(row))).toEqual([]);
});
