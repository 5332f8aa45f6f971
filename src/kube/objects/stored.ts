import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { maybe, record, text, word } from "../../rules/shape/shape.ts";
import { scheduleKey } from "./schedule.ts";

/** The API server's limit for a ConfigMap or a Secret, in base64. */
const longestData: number = 2 * 1024 * 1024;

/** The part of a ConfigMap that we use as record. */
export type StoredRecord = {
  readonly resourceVersion: string;
  readonly record: string | undefined;
  /** The number of writes, in an annotation that helm keeps. */
  readonly turn?: number;
  /** Set if somebody wiped the record. Then this is its last known content. */
  readonly isWiped?: true;
};

/** Helm copies the turn here, since a forced helm upgrade wipes the data. */
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

/** Returns the record, or its last known content if somebody wiped it. `known` is the record as this process last saw or wrote it. */
export function unwiped(found: StoredRecord | undefined, known: string | undefined): StoredRecord | undefined {
  if (found === undefined || found.record !== undefined || known === undefined) return found;
  return { ...found, record: known, isWiped: true };
}

const secret = record({ data: maybe(record({ [scheduleKey]: maybe(text(longestData)) })) });

/** The schedule that an agent exported into a Secret; undefined if the Secret has none. */
export function readStoredSchedule(found: unknown): Reading<{ readonly schedule: string | undefined }> {
  const reading = decodeValue(found, secret, "ignored");
  if (reading.kind === "unreadable") return reading;
  const encoded = reading.value.data?.[scheduleKey];
  try {
    // atob is enough, because times are plain ASCII.
    return { kind: "read", value: { schedule: encoded === undefined ? undefined : atob(encoded) } };
  } catch {
    return { kind: "unreadable", why: `${scheduleKey} is not base64` };
  }
}
