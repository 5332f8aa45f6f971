import { median } from "../measure.ts";
import { ways, type Cost, type Way } from "./load.ts";

/** All that was measured in one round, each after the other. */
export type Round = {
  readonly bare: Readonly<Record<Way, Cost>>;
  readonly auth: Readonly<Record<Way, Cost>>;
  /** A call that is written down, on a resumed connection of its own. */
  readonly written: Cost;
};

const told: Readonly<Record<Way, string>> = {
  "full-handshake": "a full handshake",
  "resumed-handshake": "a resumed handshake",
  "call-resumed": "a call, on a resumed connection of its own",
  "call-kept": "a call, on a connection that is kept",
};

/** Ratios are taken within a round, and then their median: the machine's own pace wanders. */
export function printRounds(rounds: readonly Round[]): string {
  const rows = ways.map((way) => {
    const bare = rounds.map((round) => round.bare[way]);
    const auth = rounds.map((round) => round.auth[way]);
    const ratio = median(rounds.map((round) => round.bare[way].microseconds / round.auth[way].microseconds));
    return `| ${told[way]} | ${microseconds(bare)} | ${microseconds(auth)} | ${ratio.toFixed(2)} | ${perSecond(auth)} |`;
  });
  const written = rounds.map((round) => round.written);
  return `| by processor time | a bare node:https | auth | bare to auth | a second, of auth |
|---|---|---|---|---|
${rows.join("\n")}

| the floor of a report | by processor time | a second |
|---|---|---|
| the bare server, which writes each call into SQLite, in batches; a resumed connection each | ${microseconds(written)} | ${perSecond(written)} |`;
}

function microseconds(all: readonly Cost[]): string {
  return `${median(all.map((one) => one.microseconds)).toFixed(0)} µs`;
}

function perSecond(all: readonly Cost[]): string {
  return median(all.map((one) => one.perSecond)).toFixed(0);
}
