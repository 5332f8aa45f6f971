import { longestKeyBytes } from "./checked.ts";
import type { AuditEvent, DumpLine, Json, JsonObject, Revision } from "./port.ts";

/** A backup's first line, which describes the backup. */
export type BackupHeader = {
  readonly kind: "header";
  readonly format: 1;
  readonly cluster: string;
  readonly cluster_id: string;
  readonly epoch: number;
  /** The version of the auth service that made the backup. */
  readonly release: string;
  readonly at: number;
};

/** The last line. It counts and sums everything before it. */
export type BackupEnd = { readonly kind: "end"; readonly lines: number; readonly sha256: string };

export type BackupLine = BackupHeader | DumpLine | BackupEnd;

/** Parses a line of a file that anybody may have written. Undefined if it is no backup's. */
export function parseBackupLine(text: string): BackupLine | undefined {
  const line = parseJson(text);
  if (line === undefined) return undefined;
  switch (line["kind"]) {
    case "header":
      return isHeader(line) ? line : undefined;
    case "counted":
      return wrapped(line, "counted", isCounted);
    case "item":
      return wrapped(line, "item", isItem);
    case "event": {
      const { event } = line;
      if (!isObject(event) || !isEvent(event)) return undefined;
      return { kind: "event", event: { ...event, before: event.before, after: event.after } };
    }
    case "end":
      return isEnd(line) ? (line as unknown as BackupEnd) : undefined;
    default:
      return undefined;
  }
}

function parseJson(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) && isShallow(value, mostLevels) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How deep a resource may be. No call takes more than a hundred levels, and writing thousands would end the program. */
const mostLevels = 200;

function isShallow(value: Json, most: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return most > 0 && Object.values(value as JsonObject).every((item) => isShallow(item, most - 1));
}

function wrapped(line: JsonObject, name: "counted" | "item", is: (value: JsonObject) => boolean): DumpLine | undefined {
  const value = line[name];
  return isObject(value) && is(value) ? ({ kind: name, [name]: value } as unknown as DumpLine) : undefined;
}

function isHeader(line: JsonObject): line is JsonObject & BackupHeader {
  const { format, cluster, cluster_id: id, epoch, release, at } = line;
  return (
    format === 1 &&
    [cluster, id].every(isText) &&
    isCount(epoch) &&
    epoch < mostEpochs &&
    isText(release) &&
    /^v?\d+\./.test(release) &&
    isTime(at)
  );
}

function isCounted({ revision, event }: JsonObject): boolean {
  return isRevision(revision) && isCount(event);
}

function isItem({ kind, name, revision, changedAt, changedBy, body }: JsonObject): boolean {
  return isKey(kind) && isKey(name) && isRevision(revision) && isTime(changedAt) && isText(changedBy) && isObject(body);
}

function isEvent(value: JsonObject): value is JsonObject & AuditEvent {
  const { number, at, before, after, event, actor, origin, kind, name, detail } = value;
  const isOptional = (json: Json | undefined): boolean => json === undefined || isObject(json);
  if (!isCount(number) || number === 0 || !isTime(at) || !isOptional(before) || !isOptional(after)) return false;
  return [event, actor, origin, kind, name, detail].every(isText);
}

function isEnd({ lines, sha256 }: JsonObject): boolean {
  return isCount(lines) && isText(sha256) && /^[0-9a-f]{64}$/.test(sha256);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

function isKey(value: Json | undefined): boolean {
  return (
    isText(value) && value !== "" && !value.includes("\0") && value.isWellFormed() && Buffer.byteLength(value) <= longestKeyBytes
  );
}

/** The last second of the year 9999. */
const lastTime = 253_402_300_799;

function isTime(value: Json | undefined): value is number {
  return isCount(value) && value <= lastTime;
}

/** Each epoch has its own revisions, so that what a client read before a restore does not match what was written after it. */
export const revisionsInEpoch = 1_000_000_000_000;
/** With more restores, a revision would not be exact as a number. */
const mostEpochs = 999;

/** Whether a backup's counter leaves room for further counting. */
function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < mostEpochs * revisionsInEpoch;
}

function isRevision(value: Json | undefined): value is Revision {
  return isText(value) && /^\d{1,15}$/.test(value);
}
