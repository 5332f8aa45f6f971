import { expect, test } from "vitest";
import { runCampaign } from "../faults/campaign.ts";
import { tellResult } from "../faults/print.ts";
import { faultTable } from "../faults/table.ts";
import { inLab } from "./lab/scenario.ts";

/** Enough for every victim, with the network and without. */
const table = faultTable({ perStep: 6 });
const seed = 20_261_121;
const parallel = 2;
const longestMs = 1_200_000;

/** What the whole of `npm run faults` plays, cut to some minutes: "ROW NAME FAMILY". */
const short: readonly RegExp[] = [
  /^2 kill the updater at install, network down.* yum$/,
  /^2 kill the manager at install, network down/,
  /^3 kill the host at install, network down/,
  /^4 kill the updater at back-install, network down.* apt$/,
  /^4 kill the host at back-install, network down.* zypper$/,
  /^4 kill the host at install, and the updater .* \(1\) yum$/,
  /^5 a version that takes the host down while it is installed yum$/,
  /^7 the state is half written apt$/,
  /^10 the network goes while the agent settles.* zypper$/,
  /^11 the way back fails at its activation.* apt$/,
  /^12 a run by hand in the middle .* apt$/,
  /^21 the package's download ends in the middle apt$/,
  /^29 the window closes while the package is installed.* apt$/,
  /^31 an orderly poweroff while the package is installed yum$/,
];

test(
  "hosts survive what the campaign does to them, and walk the golden path afterwards",
  inLab(async () => {
    const scenarios = table.scenarios.filter(({ row, name, family }) =>
      short.some((pattern) => pattern.test(`${row} ${name} ${family}`)),
    );
    const results = await runCampaign({ scenarios, seed, parallel, tell: (result) => console.log(tellResult(result)) });
    expect(results.filter(({ kind }) => kind !== "survived").map(tellResult)).toEqual([]);
    expect(results.length).toBe(scenarios.length);
    expect(results.length).toBeGreaterThan(short.length);
  }),
  longestMs,
);

test("no two scenarios of the campaign have one name, and every row of a host's is there", () => {
  const names = table.scenarios.map(({ row, name, family }) => `${row} ${name} ${family}`);
  expect(new Set(names).size).toBe(names.length);
  const rows = new Set([...table.scenarios, ...table.unstaged].map(({ row }) => row));
  const expected = Array.from({ length: 39 }, (_, index) => index + 1);
  expect([...rows].sort((one, other) => one - other)).toEqual(expected);
});
