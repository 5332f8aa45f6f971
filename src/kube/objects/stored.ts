import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { maybe, record, text, word } from "../../rules/shape/shape.ts";
import { scheduleKey } from "./schedule.ts";

/** The most that the API server takes for a ConfigMap or a Secret, in base64. */
const longestData: number = 2 * 1024 * 1024;

/** A ConfigMap as far as it is a record of ours. */
export type StoredRecord = { readonly resourceVersion: string; readonly record: string | undefined };

const configMap = record({
  metadata: record({ resourceVersion: word }),
  data: maybe(record({ record: maybe(text(longestData)) })),
});

export function readStoredRecord(found: unknown): Reading<StoredRecord> {
  const reading = decodeValue(found, configMap, "ignored");
  if (reading.kind === "unreadable") return reading;
  const { metadata, data } = reading.value;
  return { kind: "read", value: { resourceVersion: metadata.resourceVersion, record: data?.record } };
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
