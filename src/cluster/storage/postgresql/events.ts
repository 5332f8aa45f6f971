import { checkQuery } from "../checked.ts";
import { mostRows, type AuditEntry, type AuditEvent, type EventQuery } from "../port.ts";
import { escaped } from "../stored.ts";
import type { Query } from "./connections.ts";

export type EventRow = { readonly number: string; readonly at: string; readonly entry: string };
export const eventColumns = "number, at, entry";

export function readEvent({ number, at, entry }: EventRow): AuditEvent {
  const said = JSON.parse(entry) as Omit<AuditEntry, "before" | "after">;
  return { number: Number(number), at: Number(at), before: undefined, after: undefined, ...said };
}

export async function findEvents(query: Query, asked: EventQuery): Promise<readonly AuditEvent[]> {
  checkQuery(asked);
  const { since, until, before, event, actor, kind, name, most } = asked;
  const text = (wanted: string | undefined): string | undefined => (wanted === undefined ? undefined : escaped(wanted));
  const values: unknown[] = [];
  const conditions = [
    ["at >=", since],
    ["at <", until],
    ["number <", before],
    ["event =", text(event)],
    ["actor =", text(actor)],
    ["kind =", text(kind)],
    ["name =", text(name)],
  ].flatMap(([condition, value]) => (value === undefined ? [] : [`${condition} $${values.push(value)}`]));
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const limit = `$${values.push(most)}`;
  const rows = await query<EventRow>(
    `SELECT ${eventColumns} FROM svc.event ${where} ORDER BY number DESC LIMIT ${limit}`,
    values,
  );
  return rows.map(readEvent);
}

type Limits = { readonly before: number; readonly most: number };

/** Deletes the events beyond the count, then those that are too old, the oldest first. */
export async function pruneEvents(query: Query, { before, most }: Limits): Promise<number> {
  const surplus = await query(
    `DELETE FROM svc.event WHERE number IN (SELECT number FROM svc.event ORDER BY number
      LIMIT least($2::bigint, greatest(0, (SELECT count(*) FROM svc.event) - $1::bigint))) RETURNING number`,
    [most, mostRows],
  );
  if (surplus.length === mostRows) return surplus.length;
  const old = await query(
    "DELETE FROM svc.event WHERE number IN (SELECT number FROM svc.event WHERE at < $1 ORDER BY at, number LIMIT $2) RETURNING number",
    [before, mostRows - surplus.length],
  );
  return surplus.length + old.length;
}
