import type { Count } from "./ledger.ts";
import { titleOf } from "./play.ts";
import type { Unstaged } from "./scenario.ts";
import type { Result } from "./series.ts";

/** With what became of it so far, where it is played more than once. */
export function tellResult(result: Result, { plays, survived }: Pick<Count, "plays" | "survived">): string {
  const { scenario, seconds, kind } = result;
  const of = plays > 1 ? ` ${kind === "lost" ? plays - survived : survived} of ${plays}` : "";
  const verdict = kind === "not staged" ? kind : `${kind === "lost" ? "LOST" : kind}${of}`;
  const start = `${line({ ...scenario, host: scenario.family, verdict })}${seconds.toFixed(1).padStart(6)} s`;
  switch (kind) {
    case "survived":
      return `${start}${result.remark === "" ? "" : `  ${result.remark}`}`;
    case "lost":
      return `${start}  ${result.why}\n${indent}see ${result.evidence}\n${indent}again: ${replay(result)}`;
    case "not staged":
      return `${start}  ${result.why}`;
  }
}

const indent: string = " ".repeat(7);

/** What plays it alone, as it was played. */
export function replay({ scenario, seed }: Pick<Result, "scenario" | "seed">): string {
  // A shell's quote ends at an apostrophe; the number of a kill says how many there have to be for it to be there.
  const pattern = titleOf(scenario)
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replaceAll("'", ".");
  const number = / \((?<number>\d+)\)$/.exec(scenario.name)?.groups?.["number"];
  const kills = number === undefined ? "" : ` --kills ${number}`;
  return `npm run faults -- --only '^${pattern}$' --seed ${seed}${kills}`;
}

export function tellUnstaged({ row, name, why }: Unstaged): string {
  return `${line({ row, name, host: "", verdict: "not staged" })}${" ".repeat(8)}  ${why}`;
}

export type Totals = {
  /** Of each scenario that was played, here or before. */
  readonly counts: readonly Count[];
  /** Whose moment never came, or that nothing stages. */
  readonly unstaged: number;
  /** How often each was to be played. */
  readonly times: number;
};

export function tellTotal({ counts, unstaged, times }: Totals): string {
  const lost = counts.filter(({ lostSeeds }) => lostSeeds.length > 0).length;
  const tooRare = counts.filter(({ plays }) => plays < times).length;
  const plays = counts.reduce((sum, count) => sum + count.plays, 0);
  const inPlays = times === 1 && plays === counts.length ? "" : ` in ${plays} plays`;
  const rare = tooRare === 0 ? "" : `, ${tooRare} played fewer than ${times} times`;
  return `${counts.length} scenarios run${inPlays}, ${counts.length - lost} survived, ${lost} lost${rare}, ${unstaged} not staged`;
}

type Cells = { readonly row: number; readonly name: string; readonly host: string; readonly verdict: string };

function line({ row, name, host, verdict }: Cells): string {
  return `${String(row).padStart(3)}  ${name.padEnd(84)}  ${host.padEnd(7)} ${verdict.padEnd(10)}`;
}
