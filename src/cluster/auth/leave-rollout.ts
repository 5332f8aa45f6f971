import { leave } from "../../rules/rollout/steer.ts";
import type { Change } from "../storage/port.ts";
import type { Told } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import { reportKey, reportRow } from "./report-row.ts";
import { evidenceFor } from "./rollout-evidence.ts";
import { decisionChanges } from "./rollout-decision.ts";
import { everyRollout, findStanding } from "./rollout-row.ts";
import { findRow } from "./row-forms.ts";
import { judgingBy } from "./silence.ts";

type Leaving = { readonly changes: readonly Change[]; readonly audit: readonly Told[] };

const nothing: Leaving = { changes: [], audit: [] };

/** Makes the changes to a rollout when an administrator removes an instance. They belong into the commit that removes it. */
export async function leavingRollout(context: AuthContext, id: string): Promise<Leaving> {
  const channel = (await findRow(context.store, reportRow, reportKey(id)))?.row.updater?.channel ?? "";
  const written = (await everyRollout(context)).find(({ spec }) => spec.channel === channel);
  const found = written && (await findStanding(context.store, channel));
  if (written === undefined || found === undefined) return nothing;
  const evidence = await evidenceFor(context, [written.spec], await judgingBy(context));
  const host = evidence.get(channel)?.hosts.find(({ instance }) => instance === id);
  // If another instance reports the same id, the host stays in the rollout as that instance.
  if (host === undefined || host.claims > 1) return nothing;
  const { hostname, joined } = host;
  const { row } = found;
  const status = leave(written.spec, row.status, { host, joined, instance: id, hostname, at: context.now() });
  const stage = status?.left.at(-1)?.stage;
  if (status === undefined || stage === undefined) return nothing;
  return {
    changes: await decisionChanges({ channel, found, row: { ...row, status } }, context),
    audit: [{ event: "rollout.left", kind: "rollout", name: written.name, detail: `${stage}: ${hostname} (${id})` }],
  };
}
