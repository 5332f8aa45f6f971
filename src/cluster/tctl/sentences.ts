import type { ChangedJson } from "../api/generated/svc/v1/resource_pb.ts";
import { quote } from "../../rules/text/quote.ts";
import { tellTime } from "../../machine/clocks/tell-time.ts";

const window = "cluster_maintenance_config";

/** Says what changed, in the words of the platform's documents. A maintenance configuration always exists, so a new one counts as an update. */
export function tellChanged({ kind = "", name = "", outcome = "", remarks = [], nextOpenings = [] }: ChangedJson): string {
  const what = nameOf(kind, name);
  const came = outcome === "unchanged" ? "is as it was" : `has been ${kind === window ? "updated" : quote(outcome)}`;
  const openings =
    kind !== window
      ? []
      : nextOpenings.length === 0
        ? ["It never opens."]
        : ["It opens next:", ...nextOpenings.map((opening) => `  ${tellTime(opening)}`)];
  return `${[`${what} ${came}`, ...openings, ...remarks.map((remark) => `note: ${quote(remark, 500)}`)].join("\n")}\n`;
}

export function nameOf(kind: string, name: string): string {
  return kind === window ? "maintenance window" : `${quote(kind)} "${quote(name, 128)}"`;
}
