import type { Unstaged } from "./scenario.ts";
import type { Result } from "./series.ts";

export function tellResult(result: Result): string {
  const { scenario, seconds } = result;
  const start = line({ ...scenario, host: scenario.family, verdict: result.kind === "lost" ? "LOST" : result.kind });
  const end = `${seconds.toFixed(1).padStart(6)} s`;
  switch (result.kind) {
    case "survived":
      return `${start}${end}${result.remark === "" ? "" : `  ${result.remark}`}`;
    case "lost":
      return `${start}${end}  ${result.why}\n${" ".repeat(7)}see ${result.evidence}`;
    case "not staged":
      return `${start}${end}  ${result.why}`;
  }
}

export function tellUnstaged({ row, name, why }: Unstaged): string {
  return `${line({ row, name, host: "", verdict: "not staged" })}${" ".repeat(8)}  ${why}`;
}

export function tellTotal(results: readonly Result[], unstaged: number): string {
  const count = (kind: Result["kind"]): number => results.filter((result) => result.kind === kind).length;
  const missed = count("not staged");
  const played = results.length - missed;
  return `${played} scenarios run, ${count("survived")} survived, ${count("lost")} lost, ${missed + unstaged} not staged`;
}

type Cells = { readonly row: number; readonly name: string; readonly host: string; readonly verdict: string };

function line({ row, name, host, verdict }: Cells): string {
  return `${String(row).padStart(3)}  ${name.padEnd(84)}  ${host.padEnd(7)} ${verdict.padEnd(10)}`;
}
