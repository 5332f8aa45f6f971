import type { Change, Committed } from "../storage/port.ts";
import type { Caller } from "./caller.ts";
import { deletion, put, type Told } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import { findNumber, nextNumber, numberChange } from "./rollout-number.ts";
import { releasedKind, standing, standingKey, type StandingRow } from "./rollout-row.ts";
import { bodyOf, type Stored } from "./row-forms.ts";

export type Deciding = {
  readonly channel: string;
  readonly found: Stored<StandingRow> | undefined;
  /** Undefined releases the channel. A row without an epoch gets the current one, which says that the store has every decision about it. */
  readonly row: (Omit<StandingRow, "epoch"> & { readonly epoch?: number | undefined }) | undefined;
  readonly audit: readonly Told[];
};

/** Writes a rollout's new status. */
export async function commitDecision(caller: Caller | "auth", deciding: Deciding, context: AuthContext): Promise<Committed> {
  return commitFor(caller, { changes: await decisionChanges(deciding, context), audit: deciding.audit }, context);
}

/** Makes the changes for a commit. If proxies must hear of the decision, it also gets the next number. */
export async function decisionChanges(
  { channel, found, row }: Omit<Deciding, "audit">,
  { store, cluster, now }: Pick<AuthContext, "store" | "cluster" | "now">,
): Promise<readonly Change[]> {
  const epoch = row?.epoch ?? cluster.epoch;
  const before = found?.row;
  const isNews = before === undefined || row?.status.number !== before.status.number || before.epoch !== epoch;
  const counted = await findNumber(store);
  const number = nextNumber(counted, now(), before?.status.number);
  const written = row && { ...row, epoch, status: isNews ? { ...row.status, number } : row.status };
  return [
    written === undefined ? releasing(channel, found) : put(standingKey(channel), bodyOf(standing, written), found?.item),
    ...(isNews ? [numberChange(counted, number)] : []),
    ...(before === undefined && row !== undefined ? [deletion({ kind: releasedKind, name: channel })] : []),
  ];
}

/** Releases a channel. If the store has no row, notes the release: proxies may know a rollout that a restored store has lost. */
function releasing(channel: string, found: Stored<StandingRow> | undefined): Change {
  if (found !== undefined) {
    const { item } = found;
    return { ...deletion(item), expect: { kind: "revision", revision: item.revision } };
  }
  return { kind: "put", item: { kind: releasedKind, name: channel }, body: {}, expect: { kind: "anything" } };
}
