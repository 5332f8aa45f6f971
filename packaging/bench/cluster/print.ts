import { median } from "../measure.ts";
import { ways, type Cost, type Way } from "./load.ts";

/** The results of one round, in which nothing runs at the same time. */
export type Round = {
  readonly bare: Readonly<Record<Way, Cost>>;
  readonly auth: Readonly<Record<Way, Cost>>;
  /**
   * Reports of hosts, each on its own resumed connection. `written`: a bare server writes them into SQLite, in batches. `again`: the report says the
   * same as the one before.
   */
  readonly reports: Readonly<Record<"bare" | "written" | "auth" | "again", Cost>>;
};

const told: Readonly<Record<Way, string>> = {
  "full-handshake": "a full handshake",
  "resumed-handshake": "a resumed handshake",
  "call-resumed": "a call, on a resumed connection of its own",
  "call-kept": "a call, on a connection that is kept",
};

/** Prints medians of ratios within each round, because the machine's own speed varies. */
export function printRounds(rounds: readonly Round[]): string {
  const rows = ways.map((way) => {
    const bare = rounds.map((round) => round.bare[way]);
    const auth = rounds.map((round) => round.auth[way]);
    const ratio = median(rounds.map((round) => round.bare[way].microseconds / round.auth[way].microseconds));
    return `| ${told[way]} | ${microseconds(bare)} | ${microseconds(auth)} | ${ratio.toFixed(2)} | ${perSecond(auth)} |`;
  });
  const of = (which: keyof Round["reports"]): readonly Cost[] => rounds.map(({ reports }) => reports[which]);
  const share = (floor: "bare" | "written"): string =>
    (["auth", "again"] as const)
      .map((which) => median(rounds.map(({ reports }) => reports[floor].microseconds / reports[which].microseconds)).toFixed(2))
      .join(", ");
  return `| by processor time | a bare node:https | auth | bare to auth | a second, of auth |
|---|---|---|---|---|
${rows.join("\n")}

| a report, on a resumed connection of its own | by processor time | a second by that | floor to auth: new, the same |
|---|---|---|---|
| a bare node:https that answers a fixed text | ${microseconds(of("bare"))} | ${byProcessor(of("bare"))} | ${share("bare")} |
| the same, and writes each into SQLite, in batches | ${microseconds(of("written"))} | ${byProcessor(of("written"))} | ${share("written")} |
| auth, each says something new | ${microseconds(of("auth"))} | ${byProcessor(of("auth"))} | |
| auth, each says what the last one said | ${microseconds(of("again"))} | ${byProcessor(of("again"))} | |`;
}

/** The figures for a processor that does nothing else. */
function byProcessor(all: readonly Cost[]): string {
  return (1e6 / median(all.map((one) => one.microseconds))).toFixed(0);
}

function microseconds(all: readonly Cost[]): string {
  return `${median(all.map((one) => one.microseconds)).toFixed(0)} µs`;
}

function perSecond(all: readonly Cost[]): string {
  return median(all.map((one) => one.perSecond)).toFixed(0);
}
