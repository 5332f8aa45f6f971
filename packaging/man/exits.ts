import type { ProgramFaults } from "../../src/rules/fault/program-faults.ts";
import { bold, sentence, tagged } from "./roff.ts";

/** How a program ends, by status. */
export function exitParagraphs(faults: ProgramFaults, done: string = "done"): string {
  const byStatus = [...Map.groupBy(Object.entries(faults), ([, { exit }]) => exit)].toSorted(([one], [other]) => one - other);
  const failed = byStatus.map(([status, found]) => {
    const told = found.map(([code, { meaning }]) => `${sentence(meaning).slice(0, -1)} (${bold(code)}).`);
    return tagged(bold(String(status)), told);
  });
  return [tagged(bold("0"), [sentence(done)]), ...failed].join("");
}
