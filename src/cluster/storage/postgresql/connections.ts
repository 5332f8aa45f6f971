import { Pool, type PoolConfig } from "pg";
import { isLost, told } from "./tell-postgres-fault.ts";

/** A server, and how to reach it. */
export type PostgresPlace = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  /** Undefined means no TLS. Otherwise the authorities in PEM, or undefined for those of the system. */
  readonly tls: { readonly ca: string | undefined } | undefined;
  /** The name that the database shows for these connections. Its administrator reads it, and so does a restore. */
  readonly application?: "svc" | "tctl";
};

type Row = Readonly<Record<string, unknown>>;
export type Query = <R extends Row = Row>(sql: string, values?: readonly unknown[]) => Promise<readonly R[]>;

type Around<T> = {
  /** A query that is sent together with BEGIN, because each round trip costs auth time. The work gets the first row of its result. */
  readonly first?: string;
  /** Makes a statement that is sent together with COMMIT. */
  readonly last?: (done: T) => string;
  /** "once": the work cannot be repeated, so it is not tried again if the connection breaks. */
  readonly tries?: "again" | "once";
};

export type Connections = {
  /** Names the server in messages. */
  readonly place: string;
  readonly query: Query;
  /** Runs the work between BEGIN and COMMIT, or ROLLBACK if it throws. */
  readonly transaction: <T>(work: (query: Query, first: Row | undefined) => Promise<T>, around?: Around<T>) => Promise<T>;
  /** Reads the database at one instant, until `end`. */
  readonly view: () => Promise<{ readonly query: Query; readonly end: () => Promise<void> }>;
  readonly close: () => Promise<void>;
};

const mostConnections = 8;
const longestConnectMs = 5000;
const longestQueryMs = 10_000;
const longestIdleMs = 60_000;

/** If auth's host vanishes during a commit, the database ends the transaction after five seconds and frees its lock. */
const beginning = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'";

function statements(...all: readonly (string | undefined)[]): string {
  return all.filter((one) => one !== undefined).join("; ");
}

/** Makes the pool of connections. Works through a pooler: names no prepared statements, and sends no start parameter that poolers refuse. */
export function connections({ host, port, user, database, password, tls, application = "svc" }: PostgresPlace): Connections {
  const place = `postgresql://${user}@${host}:${port}/${database}`;
  const isSocket = host.startsWith("/");
  const settings: PoolConfig = {
    host,
    port,
    user,
    database,
    ...(password === undefined ? {} : { password }),
    // pg compares the certificate with `host`, and sends `host` to the server unless it is an address.
    ssl: tls === undefined || isSocket ? false : tls.ca === undefined ? {} : { ca: tls.ca },
    max: mostConnections,
    connectionTimeoutMillis: longestConnectMs,
    query_timeout: longestQueryMs,
    idleTimeoutMillis: longestIdleMs,
    keepAlive: true,
    application_name: application,
  };
  let pool = begun();

  function begun(): Pool {
    const made = new Pool(settings);
    // Ignores the error of a lost connection, because the next query on it reports the error.
    made.on("error", () => undefined);
    // Ignores it between two queries of a transaction too, where pg would throw it.
    made.on("connect", (client) => void client.on("error", () => undefined));
    return made;
  }

  /** Replaces the pool, because all its connections are dead after a failover or a restart. */
  function leave(old: Pool): void {
    if (pool !== old) return;
    pool = begun();
    old.end().catch(() => undefined);
  }

  async function trying<T>(work: () => Promise<T>): Promise<T> {
    const used = pool;
    try {
      return await work().catch(async (thrown: unknown) => {
        if (!isLost(thrown)) throw thrown;
        leave(used);
        return work();
      });
    } catch (thrown) {
      throw told(thrown, place);
    }
  }

  return {
    place,
    // The pool's own query closes the connection after every error.
    query: (sql, values) =>
      trying(async () => {
        const client = await pool.connect();
        let broken: Error | undefined;
        try {
          return (await client.query(sql, values as unknown[])).rows;
        } catch (thrown) {
          if (isLost(thrown)) broken = thrown as Error;
          throw thrown;
        } finally {
          client.release(broken);
        }
      }),
    view: async () => {
      const client = await trying(() => pool.connect());
      const query: Query = async (sql, values) => {
        try {
          return (await client.query(sql, values as unknown[])).rows;
        } catch (thrown) {
          throw told(thrown, place);
        }
      };
      await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      return {
        query,
        end: async () =>
          client.query("COMMIT").then(
            () => client.release(),
            (failed: Error) => client.release(failed),
          ),
      };
    },
    transaction: async (work, { first, last, tries = "again" } = {}) => {
      // If the connection breaks after COMMIT was sent, the outcome is unknown.
      let isLast = false;
      return trying(async () => {
        if (isLast) throw new Error("the connection broke in the middle of a transaction");
        isLast = tries === "once";
        const client = await pool.connect();
        let broken: Error | undefined;
        try {
          const answers = [await client.query<Row>(statements(tries === "again" ? beginning : "BEGIN", first))].flat();
          const done = await work(
            async (sql, values) => (await client.query(sql, values as unknown[])).rows,
            answers.at(-1)?.rows[0],
          );
          isLast = true;
          await client.query(statements(last?.(done), "COMMIT"));
          return done;
        } catch (thrown) {
          if (isLost(thrown)) broken = thrown as Error;
          else await client.query("ROLLBACK").catch((failed: Error) => (broken = failed));
          throw thrown;
        } finally {
          client.release(broken);
        }
      });
    },
    close: async () => {
      if (!pool.ending) await pool.end();
    },
  };
}
