import type { Item, Store } from "../storage/port.ts";
import type { AuthContext } from "./context.ts";
import { instanceRow, type InstanceRow } from "./instance-row.ts";
import { reportKind, reportRow, type ReportRow } from "./report-row.ts";
import { rowOf } from "./row-forms.ts";

/** An instance with its last report, if it has sent one. */
export type Reported = { readonly id: string; readonly row: InstanceRow; readonly report: ReportRow | undefined };

export type Reading = Pick<AuthContext, "store" | "lastReports">;

const rowsAtOnce = 100;

/** In the order of their ids. Both kinds of rows have the id as their name, so that a page of one is read beside a page of the other. */
export async function* reportedAfter({ store, lastReports }: Reading, after: string): AsyncGenerator<Reported> {
  let last = after === "" ? undefined : after;
  for (;;) {
    const items: readonly Item[] = await store.list("instance", { after: last, most: rowsAtOnce });
    const until = items.at(-1)?.name;
    if (until === undefined) return;
    const reports = await reportsBetween(store, { after: last, until });
    for (const item of items) {
      const report = reports.get(item.name);
      yield {
        id: item.name,
        row: rowOf(instanceRow, item),
        report: report === undefined ? undefined : lastReports.freshest(item.name, rowOf(reportRow, report)),
      };
    }
    if (items.length < rowsAtOnce) return;
    last = until;
  }
}

type Between = { readonly after: string | undefined; readonly until: string };

/** One page, unless reports lie there whose instance is gone. */
async function reportsBetween(store: Pick<Store, "list">, { after, until }: Between): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  let last = after;
  for (;;) {
    const items: readonly Item[] = await store.list(reportKind, { after: last, most: rowsAtOnce });
    for (const item of items) found.set(item.name, item);
    last = items.at(-1)?.name;
    if (items.length < rowsAtOnce || last === undefined || last >= until) return found;
  }
}
