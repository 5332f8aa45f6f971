import { median } from "../measure.ts";
import type { Loaded } from "./load.ts";

/** The results of one round, in which only `two` runs two servers at once. Leaves nginx out if it is not installed. */
export type Round = {
  readonly bare: Loaded;
  readonly proxy: Loaded;
  readonly nginx: Loaded | undefined;
  /** Two instances at the same time, each on its own processor. */
  readonly two: Loaded;
  /** One process of a cluster: a channel that its file decides, and a channel that a rollout decides by the host's name. */
  readonly plain: Loaded;
  readonly decided: Loaded;
};

/** Prints medians of ratios within each round, because the machine's own speed varies. */
export function printRounds(rounds: readonly Round[]): string {
  return `${oneProcessor(rounds)}\n\n${twoProcessors(rounds)}\n\n${byRollout(rounds)}`;
}

function oneProcessor(rounds: readonly Round[]): string {
  const row = (name: string, of: (round: Round) => Loaded): string => {
    const over = ratio(rounds, (round) => of(round).perSecond / round.bare.perSecond);
    const overByTime = ratio(rounds, (round) => round.bare.cpuMicroseconds / of(round).cpuMicroseconds);
    const all = rounds.map(of);
    return `| ${name} | ${over} | ${perSecond(all)} | ${p99(all)} ms | ${cpu(all)} µs | ${overByTime} |`;
  };
  const measured = rounds.filter((round): round is Round & { nginx: Loaded } => round.nginx !== undefined);
  const nginx =
    measured.length === 0
      ? "| nginx, a static file | not measured: nginx is not installed | | | | |"
      : row("nginx, a static file", ({ nginx: loaded, bare }) => loaded ?? bare);
  return `| one processor, the client on another | ratio | requests/s | p99 | processor time each | ratio by that |
|---|---|---|---|---|---|
${row("a bare node:http server", ({ bare }) => bare)}
${row("`svc-proxy`", ({ proxy }) => proxy)}
${nginx}`;
}

function twoProcessors(rounds: readonly Round[]): string {
  const ones = rounds.map(({ proxy }) => proxy);
  const twos = rounds.map(({ two }) => two);
  const byTime = ratio(rounds, ({ proxy, two }) => (2 * proxy.cpuMicroseconds) / two.cpuMicroseconds);
  return `| instances of \`svc-proxy\` | requests/s | processor time each | capacity by that |
|---|---|---|---|
| one, the client on the other processor | ${perSecond(ones)} | ${cpu(ones)} µs | 1.00 |
| two on two processors, which their clients share | ${perSecond(twos)} | ${cpu(twos)} µs | ${byTime} |`;
}

function byRollout(rounds: readonly Round[]): string {
  const byTime = ratio(rounds, ({ plain, decided }) => plain.cpuMicroseconds / decided.cpuMicroseconds);
  const [ofFile, ofRollout] = [rounds.map(({ plain }) => plain), rounds.map(({ decided }) => decided)];
  return `| a proxy of a cluster | requests/s | processor time each | ratio by that |
|---|---|---|---|
| a channel of its own file | ${perSecond(ofFile)} | ${cpu(ofFile)} µs | 1.00 |
| a channel with a rollout, to hosts that name themselves | ${perSecond(ofRollout)} | ${cpu(ofRollout)} µs | ${byTime} |`;
}

function ratio(rounds: readonly Round[], of: (round: Round) => number): string {
  return median(rounds.map(of)).toFixed(2);
}

function perSecond(all: readonly Loaded[]): string {
  return median(all.map((one) => one.perSecond)).toFixed(0);
}

function p99(all: readonly Loaded[]): string {
  return median(all.map((one) => one.p99Ms)).toFixed(1);
}

function cpu(all: readonly Loaded[]): string {
  return median(all.map((one) => one.cpuMicroseconds)).toFixed(1);
}
