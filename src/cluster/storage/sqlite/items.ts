import { checkKey, checkMost } from "../checked.ts";
import type { Item, ItemKey, Page, Store } from "../port.ts";
import type { Connection } from "./connection.ts";
import { readItem, type ItemRow } from "./rows.ts";

const columns = "kind, name, revision, changed_at, changed_by, sum, body";

export function itemByKey(connection: Connection): (key: ItemKey) => Item | undefined {
  const statement = connection.prepare<ItemRow>(`SELECT ${columns} FROM item WHERE kind = ? AND name = ?`);
  return (key) => {
    checkKey(key);
    const row = statement.first(key.kind, key.name);
    return row === undefined ? undefined : readItem(row, connection.path);
  };
}

/** Reads items in order of name: SQLite keeps text in UTF-8, and compares it byte by byte. */
export function itemsOfKind(connection: Connection): (kind: string, page: Page) => readonly Item[] {
  const statement = connection.prepare<ItemRow>(`SELECT ${columns} FROM item WHERE kind = ? AND name > ? ORDER BY name LIMIT ?`);
  return (kind, { after, most }) => {
    checkMost(most);
    return statement.all(kind, after ?? "", most).map((row) => readItem(row, connection.path));
  };
}

export function itemsChanged(connection: Connection): (...asked: Parameters<Store["changed"]>) => readonly Item[] {
  const newest = connection.prepare<ItemRow>(
    `SELECT ${columns} FROM item WHERE kind = ? ORDER BY revision DESC, name DESC LIMIT 1`,
  );
  const onward = connection.prepare<ItemRow>(
    `SELECT ${columns} FROM item WHERE kind = ? AND (revision, name) >= (?, ?) ORDER BY revision, name LIMIT ?`,
  );
  return (kind, { from, most }) => {
    checkMost(most);
    const rows = from === undefined ? newest.all(kind) : onward.all(kind, Number(from.revision), from.name, most);
    return rows.map((row) => readItem(row, connection.path));
  };
}

/** Reads every item, kind by kind. */
export function allItems(connection: Connection): (after: ItemKey, most: number) => readonly Item[] {
  const statement = connection.prepare<ItemRow>(
    `SELECT ${columns} FROM item WHERE (kind, name) > (?, ?) ORDER BY kind, name LIMIT ?`,
  );
  return ({ kind, name }, most) => statement.all(kind, name, most).map((row) => readItem(row, connection.path));
}

export function counting(connection: Connection): (kind: string) => number {
  const statement = connection.prepare<{ rows: number }>("SELECT rows FROM tally WHERE kind = ?");
  return (kind) => statement.first(kind)?.rows ?? 0;
}
