import type { UnixSeconds } from "../../../rules/window/window.ts";
import { checkQuery } from "../checked.ts";
import { mostRows, type AuditEntry, type AuditEvent, type EventQuery } from "../port.ts";
import type { Connection } from "./connection.ts";
import { escaped } from "../stored.ts";
import { eventSum, readEvent, type EventRow } from "./rows.ts";

type Recorded = { readonly at: UnixSeconds; readonly entry: AuditEntry; readonly text: string; readonly number?: number };

export function addEvent(connection: Connection): (recorded: Recorded) => void {
  const statement = connection.prepare(
    "INSERT INTO event (number, at, event, actor, kind, name, sum, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  return ({ at, entry, text, number }) => {
    const { event, actor, kind, name } = entry;
    statement.run(number ?? null, at, escaped(event), escaped(actor), escaped(kind), escaped(name), eventSum(at, text), text);
  };
}

/** How many events to look at in one step. For most, only the compared columns are read. */
const mostLookedOver = 1000;

/**
 * Finds the newest events first. Reads one range of numbers after the other, so that a query with few matches blocks nobody. Does not order by time,
 * because a clock may go backwards.
 */
export function findEvents(connection: Connection): (query: EventQuery) => AsyncGenerator<readonly AuditEvent[]> {
  const ends = connection.prepare<{ first: number | null; last: number | null }>(
    "SELECT (SELECT min(number) FROM event) AS first, (SELECT max(number) FROM event) AS last",
  );
  const found = connection.prepare<EventRow>(
    `SELECT number, at, sum, entry FROM event WHERE number >= ?1 AND number < ?2 AND at >= ?3 AND at < ?4
      AND (?5 IS NULL OR event = ?5) AND (?6 IS NULL OR actor = ?6) AND (?7 IS NULL OR kind = ?7) AND (?8 IS NULL OR name = ?8)
      ORDER BY number DESC LIMIT ?9`,
  );
  const text = (wanted: string | undefined): string | null => (wanted === undefined ? null : escaped(wanted));
  return async function* (query) {
    checkQuery(query);
    const { since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER, event, actor, kind, name } = query;
    const { first, last } = ends.first() ?? { first: null, last: null };
    if (first === null || last === null) return;
    let below = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, last + 1);
    let left = query.most;
    while (below > first && left > 0) {
      const from = Math.max(first, below - mostLookedOver);
      const rows = found.all(from, below, since, until, text(event), text(actor), text(kind), text(name), left);
      yield rows.map((row) => readEvent(row, connection.path));
      left -= rows.length;
      below = from;
    }
  };
}

export function allEvents(connection: Connection): (after: number, most: number) => readonly AuditEvent[] {
  const statement = connection.prepare<EventRow>(
    "SELECT number, at, sum, entry FROM event WHERE number > ? ORDER BY number LIMIT ?",
  );
  return (after, most) => statement.all(after, most).map((row) => readEvent(row, connection.path));
}

type Limits = { readonly before: UnixSeconds; readonly most: number };

/** Deletes the events beyond the count, then those that are too old, the oldest first. */
export function pruning(connection: Connection): (limits: Limits) => number {
  const tally = connection.prepare<{ rows: number }>("SELECT rows FROM tally WHERE kind = ''");
  const first = connection.prepare("DELETE FROM event WHERE number IN (SELECT number FROM event ORDER BY number LIMIT ?)");
  const old = connection.prepare(
    "DELETE FROM event WHERE number IN (SELECT number FROM event WHERE at < ? ORDER BY at, number LIMIT ?)",
  );
  return ({ before, most }) =>
    connection.transaction("BEGIN IMMEDIATE", () => {
      const beyond = Math.max(0, (tally.first()?.rows ?? 0) - most);
      const surplus = beyond === 0 ? 0 : first.run(Math.min(beyond, mostRows));
      return surplus === mostRows ? surplus : surplus + old.run(before, mostRows - surplus);
    });
}
