import { existsSync, rmSync } from "node:fs";
import { join, dirname, basename } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { asOwner } from "./as-owner.ts";
import { epochBeside, rememberEpoch } from "./epoch.ts";
import { invalid, readBackup } from "./backup-file.ts";
import { revisionsInEpoch, type BackupHeader } from "./backup-line.ts";
import {
  mostRows,
  type AuditEvent,
  type Change,
  type DumpLine,
  type ItemKey,
  type Json,
  type JsonObject,
  type Revision,
  type Store,
} from "./port.ts";
import { removalsBeside, type Removal } from "./removals.ts";
import { replaceStore } from "./replace.ts";
import type { StorageConfiguration } from "../services/storage-section.ts";
import { openConfigured } from "./open-store.ts";
import { openSqliteStore } from "./sqlite.ts";
import { openConnection, type Connection } from "./sqlite/connection.ts";
import { inspectStore } from "./sqlite/inspect.ts";
import { lockStore } from "./sqlite/lock.ts";
import { logPath } from "./sqlite/open-marker.ts";
import { placing, prepareDirectory, syncDirectory } from "./sqlite/place.ts";
import { readEvent, type EventRow } from "./sqlite/rows.ts";

export type Restoring = {
  readonly path: string;
  /** Undefined if the store is the file at `path`. Otherwise the removals and the epoch are kept beside that path. */
  readonly storage?: StorageConfiguration | undefined;
  /** May contain the database's password. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The version of this program. */
  readonly release: string;
  /** The backup, already open: root may be able to read it when the store's owner is not. */
  readonly source: AsyncIterable<Uint8Array>;
  readonly name: string;
  /** The cluster's name in the configuration; undefined if it names none. */
  readonly clusterName?: string | undefined;
  readonly now: UnixSeconds;
  readonly by: string;
};

export type Restored = {
  readonly header: BackupHeader;
  readonly epoch: number;
  /** Where the old store is now; undefined if there was none. */
  readonly aside: string | undefined;
  readonly voidedTokens: number;
  /** What was removed after the backup was made, and now again. */
  readonly removedAgain: readonly Removal[];
  /** The pins of authorities that a rotation has removed since, but that are trusted again because the backup has no newer one. */
  readonly trustedAgain: readonly string[];
  /** The old store's audit events that the backup lacks; undefined without a readable store. */
  readonly since: EventsSince | undefined;
};

/** The oldest of these events; `more` counts the others. */
export type EventsSince = { readonly events: readonly AuditEvent[]; readonly more: number };

/** Enough for a person at a screen. */
const mostSince = 200;

/**
 * Replaces the store by a backup, or changes nothing. Completes the new store beside the old one, and renames it at the end. The removals stay,
 * because an older backup does not know them.
 */
export function restoreStore(restoring: Restoring): Promise<Restored> {
  return asOwner(dirname(restoring.path), () => restore(restoring));
}

async function restore(restoring: Restoring): Promise<Restored> {
  const { path, release, source, name, clusterName, now, storage, environment = {} } = restoring;
  prepareDirectory(path);
  const lock = lockStore(path);
  const by = `${path}.restored`;
  try {
    removeStore(by);
    const removals = removalsBeside(path).all();
    const { header, lines } = await readBackup(source, name);
    if (clusterName !== undefined && header.cluster !== clusterName) throw otherCluster(header.cluster, restoring);
    const epoch = 1 + Math.max(header.epoch, epochBeside(path), inOldStore(path, release, epochIn) ?? 0);
    const store =
      storage === undefined
        ? await openSqliteStore({ path: by, release })
        : await openConfigured(path, storage, { application: "tctl", release, environment });
    let made: Pick<Restored, "voidedTokens" | "removedAgain" | "trustedAgain" | "since">;
    try {
      await store.fill(countingOn(lines, epoch));
      const last = (await store.events({ most: 1 }))[0]?.number ?? 0;
      const since =
        storage === undefined ? inOldStore(path, release, (old) => eventsSince(old, { at: header.at, last })) : undefined;
      made = { ...(await settle(store, { restoring, header, epoch, removals })), since };
    } finally {
      await store.close();
    }
    // Stores the epoch before it is used: an interrupted restore leaves a gap, but no epoch is used twice.
    rememberEpoch(path, epoch);
    if (storage !== undefined) return { header, epoch, aside: undefined, ...made };
    const had = existsSync(path) || existsSync(logPath(path));
    const aside = freeName(dirname(path), `${basename(path)}.before-${stamp(now)}`);
    replaceStore({ path, by, aside });
    return { header, epoch, aside: had ? join(dirname(path), aside) : undefined, ...made };
  } finally {
    removeStore(by);
    lock.release();
  }
}

/** The fault for another cluster's backup, with which auth would not start. */
function otherCluster(found: string, { name, clusterName = "" }: Restoring): Fault {
  return new Fault("configuration-invalid", {
    message: `${name} is a backup of the cluster ${quote(found)}, and auth_service.cluster_name is ${quote(clusterName)}: nothing was changed`,
    hint: "write the name of the backup's cluster into the configuration, and type the same again",
  });
}

/** Finds a free name, because two restores may come within one second. */
function freeName(directory: string, name: string): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}-${count}`;
    if (!existsSync(join(directory, free))) return free;
  }
}

function removeStore(path: string): void {
  placing(path, () => {
    for (const part of ["", "-wal", "-shm", ".open", ".lock", ".new", ".new-journal"]) rmSync(`${path}${part}`, { force: true });
    syncDirectory(path);
  });
}

async function* countingOn(lines: AsyncIterable<readonly DumpLine[]>, epoch: number): AsyncGenerator<readonly DumpLine[]> {
  for await (const some of lines) {
    yield some.map((line) => {
      if (line.kind !== "counted") return line;
      const revision = String(Math.max(Number(line.counted.revision), (epoch - 1) * revisionsInEpoch)) as Revision;
      return { kind: "counted", counted: { ...line.counted, revision } };
    });
  }
}

type Settling = {
  readonly restoring: Restoring;
  readonly header: BackupHeader;
  readonly epoch: number;
  readonly removals: readonly Removal[];
};

async function settle(
  store: Store,
  { restoring: { name, now: at, by }, header, epoch, removals }: Settling,
): Promise<Pick<Restored, "voidedTokens" | "removedAgain" | "trustedAgain">> {
  const tokens = await deletions(store, "token");
  const over = await Promise.all(passing.map((kind) => deletions(store, kind)));
  const changes = [...tokens, ...over.flat()];
  const cluster = await store.get(clusterKey);
  if (cluster?.body["id"] !== header.cluster_id) throw invalid(name, "the cluster that it names is not in it");
  changes.push(put(clusterKey, { ...cluster.body, epoch }));
  const removedAgain: Removal[] = [];
  for (const removal of removals) {
    const again = await removeAgain(store, removal);
    // Tells it once, even if a password became void several times.
    const isTold = removedAgain.some(({ kind, name: told }) => kind === removal.kind && told === removal.name);
    if (again.length > 0 && !isTold) removedAgain.push(removal);
    changes.push(...again);
  }
  for (let from = 0; from < changes.length; from += mostRows) {
    await store.commit({ at, by, changes: changes.slice(from, from + mostRows), audit: [] });
  }
  const detail = `from a backup of ${printInstant(header.at)}, epoch ${epoch}`;
  const told = { origin: "restore", kind: "cluster", name: "cluster", before: undefined, after: undefined, detail };
  await store.commit({ at, by, changes: [], audit: [{ event: "cluster.restore", actor: by, ...told }] });
  const left = await store.list("authority", { after: undefined, most: mostRows });
  const isTakenAway = (pin: string): boolean => removals.some(({ kind, name: gone }) => kind === "authority" && gone === pin);
  return { voidedTokens: tokens.length, removedAgain, trustedAgain: left.map((item) => item.name).filter(isTakenAway) };
}

const clusterKey = { kind: "cluster", name: "cluster" };
/** Kinds that belong to connections and people before the restore. */
const passing = ["ticket-keys", "session", "invitation", "shell", "sign-in", "proof", "pause"];

async function deletions(store: Store, kind: string): Promise<Change[]> {
  const found: Change[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.list(kind, { after, most: mostRows });
    found.push(...page.map(remove));
    if (page.length < mostRows) return found;
    after = page.at(-1)?.name;
  }
}

async function removeAgain(store: Store, removal: Removal): Promise<Change[]> {
  const item = await store.get({ kind: removal.kind, name: removal.name });
  const isThere = item !== undefined && Number(item.revision) <= Number(removal.revision);
  switch (removal.kind) {
    case "user":
      return isThere ? [remove(item), remove({ kind: "credential", name: removal.name })] : [];
    case "authority": {
      // Removes the authority: hosts no longer trust it, and its key may be known. Keeps the newest, because a cluster needs one.
      const isOlder = (await store.list("authority", { after: undefined, most: mostRows })).some(
        ({ name, body }) => name !== removal.name && Number(body["made"]) > Number(item?.body["made"]),
      );
      return isThere && isOlder ? [remove(item), remove({ kind: "ca-rotation", name: "current" })] : [];
    }
    case "password": {
      // Removes all credentials of the password's user: others may know the password.
      const credential = await store.get({ kind: "credential", name: removal.name });
      const isOld = credential !== undefined && Number(credential.revision) <= Number(removal.revision);
      return isOld ? [remove(credential)] : [];
    }
    case "instance": {
      // Keeps the instance's key as used, so that the instance cannot join again: the backup may not know an instance that joined later.
      const key = { kind: "instance-key", name: removal.keyDigest };
      const changes = (await store.get(key)) === undefined ? [put(key, { instance: removal.name })] : [];
      if (isThere && (item.body["removed"] ?? null) === null) changes.push(put(item, { ...item.body, removed: removal.at }));
      return changes;
    }
  }
}

function remove({ kind, name }: ItemKey): Change {
  return { kind: "delete", item: { kind, name }, expect: { kind: "anything" } };
}

function put(item: { readonly kind: string; readonly name: string }, body: JsonObject): Change {
  return { kind: "put", item: { kind: item.kind, name: item.name }, body, expect: { kind: "anything" } };
}

/** Reads from the old store. Undefined if it is missing or cannot be read. */
function inOldStore<T>(path: string, release: string, read: (old: Connection) => T): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    inspectStore(path, Number.parseInt(release.replace(/^v/, ""), 10));
    const connection = openConnection(path, existsSync(logPath(path)) ? "read" : "without-log");
    try {
      return read(connection);
    } finally {
      connection.close();
    }
  } catch {
    // The old store may be damaged: that may be why it is replaced.
    return undefined;
  }
}

function epochIn(old: Connection): number {
  const row = old.prepare<{ body: string }>("SELECT body FROM item WHERE kind = 'cluster' AND name = 'cluster'").first();
  const epoch = row === undefined ? 0 : (JSON.parse(row.body) as Record<string, Json>)["epoch"];
  return typeof epoch === "number" && Number.isSafeInteger(epoch) ? epoch : 0;
}

/** The events after `last`, the backup's newest. The backup was made within the second `at`. */
function eventsSince(old: Connection, { at, last }: { readonly at: UnixSeconds; readonly last: number }): EventsSince {
  const later = "FROM event WHERE at > ?1 OR (at = ?1 AND number > ?2)";
  const rows = old.prepare<EventRow>(`SELECT number, at, sum, entry ${later} ORDER BY number LIMIT ${mostSince}`).all(at, last);
  const count = old.prepare<{ rows: number }>(`SELECT count(*) AS rows ${later}`).first(at, last)?.rows ?? 0;
  return { events: rows.map((row) => readEvent(row, old.path)), more: count - rows.length };
}

function stamp(now: UnixSeconds): string {
  return new Date(now * 1000).toISOString().replace(".000Z", "Z").replaceAll(":", "");
}
