import { hash } from "node:crypto";
import { rankOf } from "../../rules/rollout/membership.ts";
import { instanceKey, instanceRow } from "./instance-row.ts";
import { labelsOf } from "./inventory-filter.ts";
import type { SentReport } from "./report-row.ts";
import { findRow } from "./row-forms.ts";
import { tallyStages } from "../../rules/rollout/tally.ts";
import type { AuthContext } from "./context.ts";
import { evidenceFor } from "./rollout-evidence.ts";
import { everyRollout, findStanding } from "./rollout-row.ts";
import { judgingBy } from "./silence.ts";

/** One sentence for a host's administrators about the rollout of its channel; empty without a rollout. */
export async function noteFor(
  { store, underWay }: Pick<AuthContext, "store" | "underWay">,
  id: string,
  report: SentReport,
): Promise<string> {
  const { channel = "", asks_as: asks = "" } = report.updater ?? {};
  const own = underWay.get(channel);
  const row = own === undefined || asks === "" ? undefined : (await findRow(store, instanceRow, instanceKey(id)))?.row;
  if (own === undefined || row === undefined) return "";
  const rank = rankOf(asks, own.target, (text) => hash("sha256", text));
  const stage = own.stageOf({ rank, labels: labelsOf({ row, report }) });
  return stage === undefined
    ? ""
    : `the rollout ${own.rollout} brings v${own.target} in stages; this host is in the stage ${stage}`;
}

/** A host's place in the rollout of its channel. */
export type Placed = { readonly rollout: string; readonly stage: string; readonly standing: string };

/** Finds a host's stage and state. Undefined if the channel has no rollout, or the rollout does not have the host. */
export async function rolloutOf(context: AuthContext, id: string, channel: string): Promise<Placed | undefined> {
  const written = (await everyRollout(context)).find(({ spec }) => spec.channel === channel);
  const found = written === undefined ? undefined : await findStanding(context.store, channel);
  if (written === undefined || found === undefined) return undefined;
  const evidence = (await evidenceFor(context, [written.spec], await judgingBy(context))).get(channel);
  const hosts = evidence?.hosts.filter(({ instance }) => instance === id) ?? [];
  if (evidence === undefined || hosts.length === 0) return undefined;
  const tally = tallyStages(written.spec, found.row.status, { ...evidence, hosts }).find(({ members }) => members > 0);
  if (tally === undefined) return undefined;
  const { proven, moving, failed, silent, waiting, blocked } = tally;
  const [standing = ""] = Object.entries({ proven, moving, failed, silent, waiting }).find(([, count]) => count > 0) ?? [
    `blocked: ${[...blocked.keys()].join()}`,
  ];
  return { rollout: written.name, stage: tally.status.name, standing };
}
