import type { AuthContext } from "./context.ts";
import { everyItem } from "./every-item.ts";
import { instanceRow, type InstanceRow } from "./instance-row.ts";
import { reportKind, reportRow, type ReportRow } from "./report-row.ts";
import { rowOf } from "./row-forms.ts";

/** An instance with its last report, if it has sent one. */
export type Reported = { readonly id: string; readonly row: InstanceRow; readonly report: ReportRow | undefined };

export type Reading = Pick<AuthContext, "store" | "lastReports">;

/** Lists instances by id. A report has the name of its instance, so both kinds are read side by side. */
export async function* reportedAfter({ store, lastReports }: Reading, after: string): AsyncGenerator<Reported> {
  const reports = everyItem(store, reportKind, after);
  let next = await reports.next();
  for await (const item of everyItem(store, "instance", after)) {
    const id = item.name;
    while (next.done !== true && next.value.name < id) next = await reports.next();
    const found = next.done !== true && next.value.name === id ? rowOf(reportRow, next.value) : undefined;
    yield { id, row: rowOf(instanceRow, item), report: found && lastReports.freshest(id, found) };
  }
}
