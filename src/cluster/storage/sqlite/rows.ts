import { crc32 } from "node:zlib";
import { quote } from "../../../rules/text/quote.ts";
import { bodyText } from "../checked.ts";
import { escaped, revisionOf, unescaped } from "../stored.ts";
import type { AuditEntry, AuditEvent, Item, JsonObject } from "../port.ts";
import { damaged } from "./tell-sqlite-fault.ts";

export type ItemRow = {
  readonly kind: string;
  readonly name: string;
  readonly revision: number;
  readonly changed_at: number;
  readonly changed_by: string;
  readonly sum: number;
  readonly body: string;
};

export type EventRow = { readonly number: number; readonly at: number; readonly sum: number; readonly entry: string };

/** Adds a sum to each row, because SQLite notices no damage inside a value. */
export function itemRow(item: Omit<Item, "revision"> & { readonly revision: number }): ItemRow {
  const row = {
    kind: item.kind,
    name: item.name,
    revision: item.revision,
    changed_at: item.changedAt,
    changed_by: escaped(item.changedBy),
    body: bodyText(item.body),
  };
  return { ...row, sum: itemSum(row) };
}

export function readItem(row: ItemRow, path: string): Item {
  if (itemSum(row) !== row.sum) throw damaged(path, `${quote(`${row.kind}/${row.name}`, 80)} is not what was written`);
  return {
    kind: row.kind,
    name: row.name,
    revision: revisionOf(row.revision),
    changedAt: row.changed_at,
    changedBy: unescaped(row.changed_by),
    body: JSON.parse(row.body) as JsonObject,
  };
}

export function eventSum(at: number, entry: string): number {
  return crc32(`${at}\n${entry}`);
}

export function readEvent({ number, at, sum, entry }: EventRow, path: string): AuditEvent {
  if (eventSum(at, entry) !== sum) throw damaged(path, `event ${number} is not what was written`);
  return { number, at, before: undefined, after: undefined, ...(JSON.parse(entry) as Omit<AuditEntry, "before" | "after">) };
}

function itemSum({ kind, name, revision, changed_at, changed_by, body }: Omit<ItemRow, "sum">): number {
  return crc32([kind, name, revision, changed_at, changed_by, body].join("\n"));
}
