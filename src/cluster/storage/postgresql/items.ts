import { revisionOf, unescaped } from "../stored.ts";
import type { Item, JsonObject } from "../port.ts";

export const itemColumns = "kind, name, revision, changed_at, changed_by, body";

/** Numbers of 64 bits come as text. */
export type ItemRow = {
  readonly kind: string;
  readonly name: string;
  readonly revision: string;
  readonly changed_at: string;
  readonly changed_by: string;
  readonly body: string;
};

export function readItem(row: ItemRow): Item {
  return {
    kind: row.kind,
    name: row.name,
    revision: revisionOf(Number(row.revision)),
    changedAt: Number(row.changed_at),
    changedBy: unescaped(row.changed_by),
    body: JSON.parse(row.body) as JsonObject,
  };
}
