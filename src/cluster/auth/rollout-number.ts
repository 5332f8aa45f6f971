import { randomInt } from "node:crypto";
import { parseDecisionNumber, compareDecisions, type DecisionNumber } from "../../rules/channel/decision-number.ts";
import { count, listOf, record, type Of } from "../../rules/shape/shape.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Change, ItemKey, Store } from "../storage/port.ts";
import { put } from "./changes.ts";
import { bodyOf, findRow, type Stored } from "./row-forms.ts";

/** How many numbers are kept. A lower number than these counts as one of this store's older numbers, without proof. */
const mostRecent = 64;

/** The number of the newest decision about any rollout, and the numbers before it. */
const decided = record({ number: count, recent: listOf(count, mostRecent) });
type Decided = Of<typeof decided>;

const key: ItemKey = { kind: "rollout-number", name: "number" };

export function findNumber(store: Pick<Store, "get">): Promise<Stored<Decided> | undefined> {
  return findRow(store, decided, key);
}

/**
 * The next number: one more than the last, or a number made from the time and chance if that is higher. So an old copy of the store, put back without
 * `tctl restore`, uses other numbers than before, and proxies and auth notice it.
 */
export function nextNumber(found: Stored<Decided> | undefined, now: UnixSeconds, above: number = 0): number {
  return Math.max((found?.row.number ?? 0) + 1, above + 1, now * 1000 + randomInt(1000));
}

export function numberChange(found: Stored<Decided> | undefined, number: number): Change {
  const recent = [number, ...(found?.row.recent ?? [])].slice(0, mostRecent);
  return put(key, bodyOf(decided, { number, recent }), found?.item);
}

export function printNumber(epoch: number, found: Stored<Decided> | undefined): DecisionNumber {
  const number = parseDecisionNumber(`${epoch}.${found?.row.number ?? 0}`);
  if (number === undefined) throw new Error("the numbers of decisions are whole");
  return number;
}

/** Whether a proxy heard a decision that this store does not have. */
export function isForeign(said: DecisionNumber, epoch: number, found: Stored<Decided> | undefined): boolean {
  const current = printNumber(epoch, found);
  if (compareDecisions(said, current) > 0) return true;
  const [of, number] = said.split(".").map(Number);
  if (of !== epoch || number === undefined) return false;
  const recent = found?.row.recent ?? [];
  return number >= (recent.at(-1) ?? Number.POSITIVE_INFINITY) && !recent.includes(number);
}
