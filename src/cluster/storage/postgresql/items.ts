import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { revisionOf, unescaped } from "../stored.ts";
import type { Item, JsonObject } from "../port.ts";

export const itemColumns = "kind, name, revision, changed_at, changed_by, body";

/** A row as pg returns it: 64-bit numbers are strings. */
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
    body: bodyOf(row),
  };
}

/** Checks the body, because somebody may have written the row by hand. */
function bodyOf({ kind, name, body }: ItemRow): JsonObject {
  try {
    return JSON.parse(body) as JsonObject;
  } catch (thrown) {
    throw new Fault("store-unreadable", {
      message: `the store is damaged: the body of ${quote(`${kind}/${name}`, 80)} in svc.item is not JSON`,
      hint: "correct or delete that row in the database; or put a backup into an empty one: `tctl restore FILE`",
      cause: thrown,
    });
  }
}
