import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InventoryEntrySchema, InventoryService } from "../api/generated/svc/v1/inventory_pb.ts";
import { details, toMessage } from "../api/report.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { parseInstanceId } from "../identity/names.ts";
import { misfitOf } from "../../rules/version/misfit.ts";
import type { HandlersOf } from "./handlers.ts";
import { servicesOf } from "./instance-row.ts";
import { inventoryFilter, labelsOf } from "./inventory-filter.ts";
import { pageOf, readPageSize } from "./page.ts";
import type { Reported } from "./known-instances.ts";
import { reportedAfter } from "./list-reported.ts";
import { isForgotten, judgingBy, standingOf, type Judging } from "./silence.ts";
import { rolloutOf, type Placed } from "./rollout-of-host.ts";
import { timestamp } from "./timestamp.ts";

const upgraders = ["unit", "kube", "none"] as const;
type Upgrader = (typeof upgraders)[number];

/** One row less than five pages of the store. */
const mostEntries = 499;

export const listInventory: HandlersOf<typeof InventoryService>["listInventory"] = async (context, _caller, request) => {
  const { upgrader, pageSize, pageToken, host, brief, services } = request;
  if (upgrader !== "" && upgraders.every((one) => one !== upgrader)) {
    throw new Fault("request-refused", {
      message: `there is no upgrader "${quote(upgrader)}"`,
      hint: `the upgraders are ${upgraders.join(", ")}`,
    });
  }
  const id = parseInstanceId(host);
  const isAsked = inventoryFilter(request);
  const judging = await judgingBy(context);
  async function* wanted(): AsyncGenerator<Reported> {
    for await (const reported of reportedAfter(context, pageToken)) {
      if (reported.row.removed !== undefined || isForgotten(reported, judging)) continue;
      const { kind } = reported.row;
      if (upgrader !== "" && upgraderOf(reported) !== upgrader) continue;
      // A proxy may have an updater; without one it has no agent to enrol.
      const isService = kind === "auth" || (upgrader === "none" && kind === "proxy");
      if (upgrader !== "" && isService && !services) continue;
      if (!isAsked(reported, standingOf(reported, judging).silent)) continue;
      if (host === "" || (id === undefined ? hostnameOf(reported) === host : reported.id === id)) yield reported;
    }
  }
  const { page, nextPageToken } = await pageOf(wanted(), readPageSize(pageSize, mostEntries), (last) => last.id);
  const placeOf = ({ id: of, report }: Reported): Promise<Placed | undefined> =>
    rolloutOf(context, of, report?.updater?.channel ?? "");
  const places = host === "" || brief ? [] : await Promise.all(page.map(placeOf));
  return {
    entries: page.map((reported, index) =>
      entry(reported, { judging, version: context.version, isBrief: brief, rollout: places[index] }),
    ),
    nextPageToken,
    now: timestamp(judging.now),
  };
};

/** An updater whose timer is off does not count. */
function upgraderOf({ report }: Reported): Upgrader {
  const kind = report?.updater?.kind;
  return kind === "unit" || kind === "kube" ? kind : "none";
}

function hostnameOf({ row, report }: Reported): string {
  return (report ?? row).hostname;
}

type Telling = {
  readonly judging: Judging;
  readonly version: string;
  readonly isBrief: boolean;
  readonly rollout: Placed | undefined;
};

function entry(
  reported: Reported,
  { judging, version: auth, isBrief, rollout }: Telling,
): MessageInitShape<typeof InventoryEntrySchema> {
  const { id, row, report } = reported;
  const { hostname, version, services } = report ?? row;
  return {
    id,
    hostname,
    services: servicesOf(row, services),
    version,
    upgrader: upgraderOf(reported),
    ...(report === undefined ? {} : { reported: timestamp(report.at) }),
    ...(isBrief || report === undefined ? {} : toMessage(report, details, timestamp)),
    ...(isBrief ? {} : { labels: labelsOf(reported) }),
    ...(rollout === undefined ? {} : { rollout }),
    ...standingOf(reported, judging),
    misfit: misfitOf(version, auth),
  };
}
