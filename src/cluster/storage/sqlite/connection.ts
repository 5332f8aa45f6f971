import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { isDamage, told } from "./tell-sqlite-fault.ts";

/** A prepared statement. It can be used again and again. */
export type Statement<Row> = {
  readonly all: (...values: readonly SQLInputValue[]) => readonly Row[];
  readonly first: (...values: readonly SQLInputValue[]) => Row | undefined;
  /** Returns the number of changed rows. */
  readonly run: (...values: readonly SQLInputValue[]) => number;
};

/** An open SQLite file. Every failure is a fault that names the file. */
export type Connection = {
  readonly path: string;
  readonly exec: (sql: string) => void;
  readonly prepare: <Row = unknown>(sql: string) => Statement<Row>;
  /** Commits all of the work, or nothing if it throws. */
  readonly transaction: <T>(begin: "BEGIN" | "BEGIN IMMEDIATE", work: () => T) => T;
  /** Closes the file. A damaged file stays as it is: nothing of its log is moved into it. */
  readonly close: () => void;
};

/** "read": changes nothing in the file or its log, not even by closing it. "without-log": reads the file as if it had no log. */
export type OpenMode = "write" | "read" | "without-log";

export function openDatabase(path: string, mode: OpenMode): DatabaseSync {
  const url = pathToFileURL(path);
  if (mode === "without-log") url.searchParams.set("immutable", "1");
  try {
    // Does not wait for SQLite's lock, because our lock beside the file decides who may use the store.
    return new DatabaseSync(url, { timeout: 0, readOnly: mode !== "write" });
  } catch (thrown) {
    throw told(thrown, path);
  }
}

export function openConnection(path: string, mode: OpenMode): Connection {
  return connection(openDatabase(path, mode), path);
}

function connection(database: DatabaseSync, path: string): Connection {
  let damage: unknown;
  function telling<T>(work: () => T): T {
    if (damage !== undefined) throw damage;
    try {
      return work();
    } catch (thrown) {
      const fault = told(thrown, path);
      if (isDamage(fault)) damage = fault;
      throw fault;
    }
  }
  const exec = (sql: string): void => telling(() => database.exec(sql));
  return {
    path,
    exec,
    prepare: <Row>(sql: string) => {
      const statement = telling(() => database.prepare(sql));
      return {
        all: (...values) => telling(() => statement.all(...values) as unknown as readonly Row[]),
        first: (...values) => telling(() => statement.get(...values) as Row | undefined),
        run: (...values) => telling(() => Number(statement.run(...values).changes)),
      };
    },
    transaction: (begin, work) => {
      exec(begin);
      try {
        const made = work();
        exec("COMMIT");
        return made;
      } catch (thrown) {
        // Rolls back, unless SQLite has ended the transaction itself, as on a full disk.
        if (database.isTransaction) database.exec("ROLLBACK");
        throw thrown;
      }
    },
    close: () => {
      if (damage === undefined) database.close();
    },
  };
}
