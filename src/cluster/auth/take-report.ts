import { randomInt } from "node:crypto";
import type { InventoryService } from "../api/generated/svc/v1/inventory_pb.ts";
import { fromMessage, report as description } from "../api/report.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { endedAfter } from "../../rules/rollout/ended.ts";
import type { Caller } from "./caller.ts";
import { overtaken, put, retrying } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { saysTheSame } from "./last-reports.ts";
import { windowsInForce } from "./windows-in-force.ts";
import { noteProxy, proxyAddresses } from "./proxy-addresses.ts";
import { reportKey, reportRow, sentReport, type SentReport } from "./report-row.ts";
import { noteFor } from "./rollout-of-host.ts";
import { bodyOf, findRow, readSent } from "./row-forms.ts";
import { timestamp } from "./timestamp.ts";

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
    authVersion: context.version,
    proxies: await proxyAddresses(context.store),
    note: await noteFor(context, caller.id, sent),
  };
};

type Instance = Extract<Caller, { readonly kind: "instance" }>;

/** Drops a report older than the stored one. */
function keep(context: AuthContext, caller: Instance, sent: SentReport): Promise<void> {
  const key = reportKey(caller.id);
  const keepOnce = async (): Promise<undefined | typeof overtaken> => {
    const stored = await findRow(context.store, reportRow, key);
    const last = stored && context.lastReports.freshest(caller.id, stored.row);
    if (last !== undefined && last.boot_id === sent.boot_id && last.counter >= sent.counter) return undefined;
    const now = context.now();
    const row = {
      ...sent,
      at: now,
      ended: endedAfter(last, sent.updater?.outcome, now),
      unhealthy_since: sent.updater?.unhealthy === true ? (last?.unhealthy_since ?? now) : undefined,
    };
    const body = bodyOf(reportRow, row);
    // Writes the time at least once an interval, because times in memory are lost when auth dies.
    const isOld = stored !== undefined && row.at - stored.row.at > context.times.reportSeconds;
    const more = caller.of === "proxy" ? await noteProxy(context.store, caller.id, sent.public_addr) : [];
    if (more.length === 0 && stored !== undefined && !isOld && saysTheSame(body, stored.item.body)) {
      context.lastReports.note(caller.id, row);
      return undefined;
    }
    const committed = await commitFor(caller, { changes: [put(key, body, stored?.item), ...more], audit: [] }, context);
    return committed.kind === "done" ? undefined : overtaken;
  };
  return retrying(keepOnce, { message: "the same instance reported several times at once", hint: "report again" });
}

/** Shortens the interval by up to a fifth, so that the hosts of a site do not report all at once. */
function spread(reportSeconds: number): number {
  return reportSeconds - randomInt(0, Math.floor(reportSeconds / 5) + 1);
}

function onlyInstances(): Fault {
  return new Fault("access-denied", {
    message: "only an instance reports, and only of itself",
    hint: "`tctl inventory ls` shows what they have reported",
  });
}
