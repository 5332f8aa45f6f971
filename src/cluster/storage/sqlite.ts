import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { migrations, type Migration } from "./migrations.ts";
import { mostRows, type AuditEvent, type Item, type Store } from "./port.ts";
import { finishReplacing } from "./replace.ts";
import { committing } from "./sqlite/commit.ts";
import { openConnection, type Connection } from "./sqlite/connection.ts";
import { dumping, filling } from "./sqlite/dump.ts";
import { findEvents, pruning } from "./sqlite/events.ts";
import { inspectStore, refuseLeftovers } from "./sqlite/inspect.ts";
import { counting, itemByKey, itemsChanged, itemsOfKind } from "./sqlite/items.ts";
import { lockStore, type StoreLock } from "./sqlite/lock.ts";
import { makeStore, migrateStore } from "./sqlite/migrate.ts";
import { removeMarker, writeMarker } from "./sqlite/open-marker.ts";
import { isOwnFile, prepareDirectory } from "./sqlite/place.ts";
import { majorOf, revisionOf } from "./stored.ts";

export type StorePlace = {
  /** The file's path. A missing directory is made (0700). Nobody else may be able to write there. */
  readonly path: string;
  /** The version of this program: `15.4.6`. */
  readonly release: string;
};

/** Opens the store, or makes an empty one. Only one process can hold it; a second gets `store-in-use`. */
export function openSqliteStore(place: StorePlace): Promise<Store> {
  return openStore(place, migrations);
}

/** Opens a store with another release's migrations, for tests. */
export async function openStore({ path, release }: StorePlace, known: readonly Migration[]): Promise<Store> {
  prepareDirectory(path);
  const lock = lockStore(path);
  try {
    const by = { release, major: majorOf(release), migrations: known };
    finishReplacing(path);
    if (!isOwnFile(path)) {
      refuseLeftovers(path);
      makeStore(path, by);
    }
    const { id, schema } = inspectStore(path, by.major);
    removeMarker(path);
    const main = opened(path);
    migrateStore(main, { from: schema, migrations: known });
    const opening = randomUUID();
    main.prepare("UPDATE store SET opening = ?, major = ?, release = ?").run(opening, by.major, release);
    writeMarker(path, { id, opening });
    const ending = closingOnce(main, lock);
    // Closes the store when the process ends without doing so. SQLite would also remove the log then, but not our marker.
    process.once("exit", ending);
    return storeOn(main, () => {
      process.off("exit", ending);
      ending();
    });
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

/** Moves the log's content into the store first; only then is the log no longer needed. */
function closingOnce(main: Connection, lock: StoreLock): () => void {
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      main.exec("PRAGMA wal_checkpoint(FULL)");
      removeMarker(main.path);
      main.close();
    } finally {
      lock.release();
    }
  };
}

function opened(path: string): Connection {
  const made = openConnection(path, "write");
  made.exec("PRAGMA journal_mode = WAL");
  made.exec("PRAGMA synchronous = FULL");
  return made;
}

function schemaOf(main: Connection): number {
  return main.prepare<{ user_version: number }>("PRAGMA user_version").first()?.user_version ?? 0;
}

/** Lets others run while somebody reads thousands of rows. */
async function lettingIn(found: readonly Item[]): Promise<readonly Item[]> {
  if (found.length === mostRows) await setImmediate();
  return found;
}

function storeOn(main: Connection, close: () => void): Store {
  const get = itemByKey(main);
  const list = itemsOfKind(main);
  const changed = itemsChanged(main);
  const count = counting(main);
  const { commit, flush } = committing(main);
  const events = findEvents(main);
  const prune = pruning(main);
  const revision = main.prepare<{ revision: number }>("SELECT revision FROM store");
  const pages = main.prepare<{ bytes: number }>(
    "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
  );
  /** All other writes wait for this while a backup is restored. */
  let filled: Promise<void> = Promise.resolve();
  return {
    get: async (key) => get(key),
    list: async (kind, page) => lettingIn(list(kind, page)),
    changed: async (kind, asked) => lettingIn(changed(kind, asked)),
    count: async (kind) => count(kind),
    commit: async (wanted) => {
      await filled;
      return commit(wanted);
    },
    events: async (query) => {
      const found: AuditEvent[] = [];
      for await (const some of events(query)) {
        found.push(...some);
        await setImmediate();
      }
      return found;
    },
    prune: async (limits) => {
      await filled;
      return prune(limits);
    },
    about: async () => ({
      adapter: "sqlite",
      schema: schemaOf(main),
      revision: revisionOf(revision.first()?.revision ?? 0),
      bytes: pages.first()?.bytes ?? 0,
    }),
    dump: () => dumping(() => opened(main.path)),
    fill: async (lines) => {
      const work = filled.then(() => {
        flush();
        return filling(opened(main.path), lines);
      });
      filled = work.catch(() => undefined);
      await work;
    },
    close: async () => {
      await filled;
      flush();
      close();
    },
  };
}
