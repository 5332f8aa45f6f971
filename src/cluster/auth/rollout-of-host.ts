import { tallyStages } from "../../rules/rollout/tally.ts";
import type { AuthContext } from "./context.ts";
import { evidenceFor } from "./rollout-evidence.ts";
import { everyRollout, findStanding } from "./rollout-row.ts";
import { judgingBy } from "./silence.ts";

/** A host's place in the rollout of its channel. */
export type Placed = { readonly rollout: string; readonly stage: string; readonly standing: string };

/** Undefined if the channel has no rollout, or none that has the host. */
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
