import { existsSync } from "node:fs";
import { Fault } from "../../../rules/fault/fault.ts";
import { openConnection, type Connection } from "./connection.ts";
import { hasLog, logPath, markerPath, readMarker } from "./open-marker.ts";
import { damaged, isDamage } from "./tell-sqlite-fault.ts";

/** `svcs` marks a SQLite file as a cluster's store. */
export const applicationId = 0x73766373;

export type StoreRow = { readonly id: string; readonly major: number; readonly release: string; readonly opening: string };
export type Inspected = StoreRow & { readonly schema: number };

/** Reads the whole store once. Changes nothing, so that damage stays as it is. */
export function inspectStore(path: string, major: number): Inspected {
  const marker = readMarker(path);
  if (marker === "lost") throw damaged(path, `${markerPath(path)} cannot be read`);
  if (marker !== "none" && !hasLog(path)) {
    throw damaged(path, `its last commits lie in ${logPath(path)}, and that is gone or is no log`);
  }
  const inLog = reading(path, existsSync(logPath(path)) ? "read" : "without-log", inspect);
  if (inLog.major > major) throw newer(path, inLog.release);
  if (marker !== "none" && (marker.id !== inLog.id || marker.opening !== inLog.opening)) {
    throw damaged(path, `it and ${logPath(path)} are not of one store, or not of one time`);
  }
  if (existsSync(logPath(path)) && isAnothers(path, inLog.id)) {
    throw damaged(path, `${logPath(path)} is the log of another store`);
  }
  return inLog;
}

/** Refuses to make a new store over the rest of an earlier one. */
export function refuseLeftovers(path: string): void {
  for (const left of [markerPath(path), logPath(path)]) {
    if (existsSync(left)) throw damaged(path, `it is gone, and ${left} is still there`);
  }
}

function reading<T>(path: string, mode: "read" | "without-log", look: (connection: Connection) => T): T {
  const connection = openConnection(path, mode);
  try {
    return look(connection);
  } finally {
    connection.close();
  }
}

function inspect(connection: Connection): Inspected {
  const { path } = connection;
  const id = connection.prepare<{ application_id: number }>("PRAGMA application_id").first()?.application_id;
  if (id !== applicationId) throw damaged(path, "it is no store of a cluster");
  const check = connection.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").first()?.quick_check;
  if (check !== "ok") throw damaged(path, check?.replaceAll(/\s+/g, " ") ?? "it cannot be checked");
  const schema = connection.prepare<{ user_version: number }>("PRAGMA user_version").first()?.user_version ?? 0;
  const row = connection.prepare<StoreRow>("SELECT id, major, release, opening FROM store").first();
  if (row === undefined) throw damaged(path, "it does not say which store it is");
  return { ...row, schema };
}

/**
 * Whether the store without its log belongs to another cluster. A killed program may leave a store that is whole only with its log. That was read
 * before, so then the store is ours.
 */
function isAnothers(path: string, id: string): boolean {
  try {
    return reading(path, "without-log", idAlone) !== id;
  } catch (thrown) {
    if (isDamage(thrown)) return false;
    throw thrown;
  }
}

function idAlone(connection: Connection): string | undefined {
  return connection.prepare<{ id: string }>("SELECT id FROM store").first()?.id;
}

function newer(path: string, release: string): Fault {
  return new Fault("store-newer", {
    message: `the store ${path} was written by release ${release}, of a later major than this program`,
    hint: "install that release again; a store never goes back over a major",
  });
}
