import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { maybe, record, text, word } from "../../rules/shape/shape.ts";
import { scheduleKey } from "./schedule.ts";

/** The most that the API server takes for a ConfigMap or a Secret, in base64. */
const longestData: number = 2 * 1024 * 1024;

/** A ConfigMap as far as it is a record of ours. */
export type StoredRecord = {
  readonly resourceVersion: string;
  readonly record: string | undefined;
  /** How often a record was written there, as helm has copied it. */
  readonly turn?: number;
  /** The record is not there any more: it is as this process knew it. */
  readonly isWiped?: true;
};

/** What helm copies the turn into, because it wipes the data where it is forced. */
const turnKey = "svc.dev/turn";

const configMap = record({
  metadata: record({ resourceVersion: word, annotations: maybe(record({ [turnKey]: maybe(word) })) }),
  data: maybe(record({ record: maybe(text(longestData)) })),
});

export function readStoredRecord(found: unknown): Reading<StoredRecord> {
  const reading = decodeValue(found, configMap, "ignored");
  if (reading.kind === "unreadable") return reading;
  const { metadata, data } = reading.value;
  const { resourceVersion, annotations } = metadata;
  const stored = { resourceVersion, record: data?.record };
  const [turn] = /^[1-9]\d{0,14}$/.exec(annotations?.[turnKey] ?? "") ?? [];
  return { kind: "read", value: turn === undefined ? stored : { ...stored, turn: Number(turn) } };
}

/** What is there, or what was there before somebody has wiped it. `known`: the record as this process saw or wrote it last. */
export function unwiped(found: StoredRecord | undefined, known: string | undefined): StoredRecord | undefined {
  if (found === undefined || found.record !== undefined || known === undefined) return found;
  return { ...found, record: known, isWiped: true };
}

const secret = record({ data: maybe(record({ [scheduleKey]: maybe(text(longestData)) })) });

/** The exported schedule of a Secret; undefined: it holds none. */
export function readStoredSchedule(found: unknown): Reading<{ readonly schedule: string | undefined }> {
  const reading = decodeValue(found, secret, "ignored");
  if (reading.kind === "unreadable") return reading;
  const encoded = reading.value.data?.[scheduleKey];
  try {
    // Times are plain ASCII.
    return { kind: "read", value: { schedule: encoded === undefined ? undefined : atob(encoded) } };
  } catch {
    return { kind: "unreadable", why: `${scheduleKey} is not base64` };
  }
}
