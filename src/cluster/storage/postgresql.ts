import { Fault } from "../../rules/fault/fault.ts";
import { checkKey, checkMost } from "./checked.ts";
import { majorOf } from "./stored.ts";
import { mostRows, type AuditEvent, type DumpLine, type Item, type ItemKey, type Store } from "./port.ts";
import { addEvents, committing, lockStore, putItems } from "./postgresql/commit.ts";
import { connections, type Connections, type PostgresPlace, type Query } from "./postgresql/connections.ts";
import { eventColumns, findEvents, pruneEvents, readEvent, type EventRow } from "./postgresql/events.ts";
import { itemColumns, readItem, type ItemRow } from "./postgresql/items.ts";
import { standbyFault } from "./postgresql/tell-postgres-fault.ts";
import { postgresMigrations } from "./postgresql/schema.ts";
import type { Migration } from "./migrations.ts";
import { entryText, escaped, revisionOf } from "./stored.ts";

export type Opening = PostgresPlace & {
  /** The version of this program. */
  readonly release: string;
};

/** Opens the store in the database's schema `svc`, or makes an empty one. Other auth services may have it open too. */
export async function openPostgresStore(opening: Opening, known: readonly Migration[] = postgresMigrations): Promise<Store> {
  const reached = connections(opening);
  try {
    await prepare(reached, { release: opening.release, known });
    return storeOn(reached);
  } catch (thrown) {
    await reached.close();
    throw thrown;
  }
}

const oldestServer = 150_000;
/** The key of the advisory lock that lets only one program migrate at a time. */
const lockKey = 0x73766373;

type Preparing = { readonly release: string; readonly known: readonly Migration[] };

async function prepare({ place, query, transaction }: Connections, { release, known }: Preparing): Promise<void> {
  const [server] = await query<{ number: string; told: string; encoding: string }>(
    "SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS told, current_setting('server_encoding') AS encoding",
  );
  if (Number(server?.number) < oldestServer) {
    throw new Fault("store-failed", {
      message: `the store ${place} is on PostgreSQL ${server?.told ?? ""}`,
      hint: "15 or newer is needed",
    });
  }
  if (server?.encoding !== "UTF8") {
    throw new Fault("store-failed", {
      message: `the database of the store ${place} has the encoding ${server?.encoding ?? ""}, which cannot hold every name`,
      hint: "make another one: `sudo -u postgres createdb --owner=ROLE --encoding=UTF8 --template=template0 NAME`",
    });
  }
  await transaction(async (inside) => {
    await inside("SELECT pg_advisory_xact_lock($1)", [lockKey]);
    const [there] = await inside("SELECT 1 FROM pg_namespace WHERE nspname = 'svc'");
    if (there === undefined) await inside("CREATE SCHEMA svc");
    const [made] = await inside<{ made: boolean }>("SELECT to_regclass('svc.store') IS NOT NULL AS made");
    const [row] =
      made?.made === true
        ? await inside<{ migrations: number; major: number; release: string }>("SELECT migrations, major, release FROM svc.store")
        : [];
    if (row !== undefined && row.major > majorOf(release)) throw newer(place, row.release);
    for (const { sql } of known.slice(row?.migrations ?? 0)) for (const statement of sql) await inside(statement);
    if (row === undefined) await inside("INSERT INTO svc.store VALUES (1, 0, 0, 0, 0, '')");
    await inside("UPDATE svc.store SET migrations = greatest(migrations, $1), major = $2, release = $3", [
      known.length,
      majorOf(release),
      release,
    ]);
  });
}

function newer(place: string, release: string): Fault {
  return new Fault("store-newer", {
    message: `the store ${place} was written by release ${release}, of a later major than this program`,
    hint: "install that release again; a store never goes back over a major",
  });
}

function storeOn(reached: Connections): Store {
  const { place, query, transaction, view, close } = reached;
  const { commit, settled } = committing(reached);
  /** All other writes wait for this while a backup is restored. */
  let filled: Promise<void> = Promise.resolve();
  return {
    get: async (key) => {
      checkKey(key);
      const [row] = await query<ItemRow>(`SELECT ${itemColumns} FROM svc.item WHERE kind = $1 AND name = $2`, [
        key.kind,
        key.name,
      ]);
      return row === undefined ? undefined : readItem(row);
    },
    list: async (kind, { after, most }) => {
      checkMost(most);
      const rows = await query<ItemRow>(
        `SELECT ${itemColumns} FROM svc.item WHERE kind = $1 AND name > $2 ORDER BY name LIMIT $3`,
        [kind, after ?? "", most],
      );
      return rows.map(readItem);
    },
    changed: async (kind, { from, most }) => {
      checkMost(most);
      const rows =
        from === undefined
          ? await query<ItemRow>(
              `SELECT ${itemColumns} FROM svc.item WHERE kind = $1 ORDER BY revision DESC, name DESC LIMIT 1`,
              [kind],
            )
          : await query<ItemRow>(
              `SELECT ${itemColumns} FROM svc.item WHERE kind = $1 AND (revision, name) >= ($2, $3) ORDER BY revision, name LIMIT $4`,
              [kind, from.revision, from.name, most],
            );
      return rows.map(readItem);
    },
    count: async (kind) => {
      const [row] = await query<{ rows: string }>("SELECT count(*) AS rows FROM svc.item WHERE kind = $1", [kind]);
      return Number(row?.rows ?? 0);
    },
    commit: async (wanted) => {
      await filled;
      return commit(wanted);
    },
    events: (asked) => findEvents(query, asked),
    prune: (limits) => transaction((inside) => pruneEvents(inside, limits)),
    about: async () => {
      const [row] = await query<{ revision: string; migrations: number; bytes: string; standby: boolean }>(
        `SELECT revision, migrations, pg_is_in_recovery() AS standby, pg_total_relation_size('svc.item') + pg_total_relation_size('svc.event') AS bytes FROM svc.store`,
      );
      if (row?.standby === true) throw standbyFault(place);
      return {
        adapter: "postgresql",
        schema: row?.migrations ?? 0,
        revision: revisionOf(Number(row?.revision ?? 0)),
        bytes: Number(row?.bytes ?? 0),
      };
    },
    dump: () => dumping(view),
    fill: async (lines) => {
      const work = transaction((inside) => filling(inside, { lines, place }), { first: lockStore, tries: "once" });
      filled = work.catch(() => undefined);
      await work;
    },
    close: async () => {
      await filled;
      await settled();
      await close();
    },
  };
}

async function* dumping(view: Connections["view"]): AsyncGenerator<readonly DumpLine[]> {
  const { query, end } = await view();
  try {
    const [counted] = await query<{ revision: string; event: string }>("SELECT revision, event FROM svc.store");
    const { revision = "0", event = "0" } = counted ?? {};
    yield [{ kind: "counted", counted: { revision: revisionOf(Number(revision)), event: Number(event) } }];
    for (let after: ItemKey | undefined = { kind: "", name: "" }; after !== undefined;) {
      const page: readonly Item[] = (
        await query<ItemRow>(
          `SELECT ${itemColumns} FROM svc.item WHERE (kind, name) > ($1, $2) ORDER BY kind, name LIMIT ${mostRows}`,
          [after.kind, after.name],
        )
      ).map(readItem);
      if (page.length > 0) yield page.map((item) => ({ kind: "item", item }));
      after = page.length < mostRows ? undefined : page.at(-1);
    }
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: readonly AuditEvent[] = (
        await query<EventRow>(`SELECT ${eventColumns} FROM svc.event WHERE number > $1 ORDER BY number LIMIT ${mostRows}`, [
          after,
        ])
      ).map(readEvent);
      if (page.length > 0) yield page.map((one) => ({ kind: "event", event: one }));
      after = page.length < mostRows ? undefined : page.at(-1)?.number;
    }
  } finally {
    await end();
  }
}

type Filling = {
  readonly lines: AsyncIterable<readonly DumpLine[]>;
  readonly place: string;
};

async function filling(inside: Query, { lines, place }: Filling): Promise<void> {
  // Finds a running auth service: each asks once a second.
  const [auth] = await inside<{ host: string | null }>(
    `SELECT host(client_addr) AS host FROM pg_stat_activity WHERE application_name = 'svc' AND datname = current_database()
      AND pid <> pg_backend_pid() AND query_start > clock_timestamp() - interval '5 seconds' LIMIT 1`,
  );
  if (auth !== undefined) {
    throw new Fault("store-in-use", {
      message: `an auth service${auth.host === null ? "" : ` at ${auth.host}`} works in the store ${place}, or did five seconds ago`,
      hint: "stop all auth services, `sudo systemctl stop svc`, and type the same again",
    });
  }
  const [there] = await inside("SELECT 1 FROM svc.item UNION ALL SELECT 1 FROM svc.event LIMIT 1");
  if (there !== undefined) {
    throw new Fault("store-failed", {
      message: `the store ${place} is not empty: a backup is put into an empty store alone`,
      hint: "take another database, or drop the schema in this one: `DROP SCHEMA svc CASCADE`",
    });
  }
  for await (const some of lines) {
    const items: Item[] = [];
    const events: unknown[][] = [];
    for (const line of some) {
      if (line.kind === "item") items.push(line.item);
      else if (line.kind === "event") {
        const { number, at, ...entry } = line.event;
        const { event, actor, kind, name } = entry;
        events.push([number, at, escaped(event), escaped(actor), escaped(kind), escaped(name), entryText(entry)]);
      } else {
        const { revision, event } = line.counted;
        await inside("UPDATE svc.store SET revision = $1, event = $2", [revision, event]);
      }
    }
    if (items.length > 0) await putItems(items, inside);
    if (events.length > 0) await addEvents(events, inside);
  }
}
