import { randomInt } from "node:crypto";
import type { InventoryService } from "../api/generated/svc/v1/inventory_pb.ts";
import { fromMessage, report as description } from "../api/report.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Expectation } from "../storage/port.ts";
import type { Caller } from "./caller.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { saysTheSame } from "./last-reports.ts";
import { windowsInForce } from "./windows-in-force.ts";
import { reportKey, reportRow, sentReport, type SentReport } from "./report-row.ts";
import { bodyOf, readSent, rowOf } from "./row-forms.ts";
import { timestamp } from "./timestamp.ts";

const mostTries = 5;

export const report: HandlersOf<typeof InventoryService>["report"] = async (context, caller, request) => {
  if (caller.kind !== "instance") throw onlyInstances();
  const sent = readSent(sentReport, fromMessage(request, description), "the report");
  await context.lastReports.inTurn(caller.id, () => keep(context, caller, sent));
  const now = context.now();
  const windows = await windowsInForce(context.store, { channel: sent.updater?.channel ?? "", now });
  return {
    hasWindow: windows !== undefined,
    openings: (windows ?? []).map(({ start, stop }) => ({ start: timestamp(start), stop: timestamp(stop) })),
    reportAfterSeconds: spread(context.times.reportSeconds),
    now: timestamp(now),
  };
};

type Instance = Extract<Caller, { readonly kind: "instance" }>;

/** An overtaken report is dropped: what it says is older than what is known. */
async function keep(context: AuthContext, caller: Instance, sent: SentReport): Promise<void> {
  const key = reportKey(caller.id);
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const item = await context.store.get(key);
    const stored = item === undefined ? undefined : rowOf(reportRow, item);
    const last = stored === undefined ? undefined : context.lastReports.freshest(caller.id, stored);
    if (last !== undefined && last.boot_id === sent.boot_id && last.counter >= sent.counter) return;
    const row = { ...sent, at: context.now() };
    const body = bodyOf(reportRow, row);
    // However short the interval: whoever goes on reporting is not silent, though auth loses what it has not written.
    const isOld = stored !== undefined && row.at - stored.at > context.times.reportSeconds;
    if (item !== undefined && !isOld && saysTheSame(body, item.body)) {
      context.lastReports.note(caller.id, row);
      return;
    }
    const expect: Expectation = item === undefined ? { kind: "absent" } : { kind: "revision", revision: item.revision };
    const committed = await commitFor(caller, { changes: [{ kind: "put", item: key, body, expect }], audit: [] }, context);
    if (committed.kind === "done") return;
  }
  throw new Fault("auth-busy", { message: "the same instance reported several times at once", hint: "report again" });
}

/** The interval is the longest: who has reported in time is never taken for silent. Else all hosts of a site come at once. */
function spread(reportSeconds: number): number {
  return reportSeconds - randomInt(0, Math.floor(reportSeconds / 5) + 1);
}

function onlyInstances(): Fault {
  return new Fault("access-denied", {
    message: "only an instance reports, and only of itself",
    hint: "`tctl inventory ls` shows what they have reported",
  });
}
