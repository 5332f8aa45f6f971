import { clusterFaultTable } from "../../src/rules/fault/cluster-table.ts";
import { bold, sentence, tagged } from "./roff.ts";

type Shared = Readonly<Record<string, { readonly exit: number; readonly meaning: string }>>;

/** How a program of a cluster ends, by status. `shared`: the faults that it has besides the cluster's own. */
export function clusterExitParagraphs(shared: Shared): string {
  return exitParagraphs({ ...shared, ...clusterFaultTable });
}

/** The same of a program that has these faults alone. */
export function exitParagraphs(faults: Shared): string {
  const byStatus = [...Map.groupBy(Object.entries(faults), ([, { exit }]) => exit)].toSorted(([one], [other]) => one - other);
  const failed = byStatus.map(([status, found]) => {
    const told = found.map(([code, { meaning }]) => `${sentence(meaning).slice(0, -1)} (${bold(code)}).`);
    return tagged(bold(String(status)), told);
  });
  return [tagged(bold("0"), [sentence("done")]), ...failed].join("");
}
