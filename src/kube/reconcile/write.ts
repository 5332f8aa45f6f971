import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Log } from "../../machine/logging/log.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { readAnswer, statuses, versionOf, type ApiServer } from "../api-server/api-server.ts";
import { updaterLabel } from "../objects/labelled-keys.ts";
import type { ObjectName } from "../objects/object-facts.ts";
import { recordName } from "../objects/object-lift.ts";
import { printKept, type Kept } from "../objects/record.ts";
import { readStoredRecord, type StoredRecord } from "../objects/stored.ts";
import { statusText } from "../objects/status-text.ts";
import type { Told } from "../objects/event-text.ts";
import { recordPath } from "./paths.ts";

export type WriteScope = {
  readonly api: ApiServer;
  readonly object: ObjectName;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

export type NotWritten = "overtaken" | "failed" | "unsure";

/**
 * Writes the record in place of the one that was read, or only the status beside it. "overtaken": another process wrote meanwhile. "unsure": the
 * write may have succeeded.
 */
export async function writeRecord(
  kept: Kept,
  before: StoredRecord | undefined,
  { api, object, log, stopping, what = "all" }: WriteScope & { readonly what?: "all" | "status" },
): Promise<StoredRecord | NotWritten> {
  const { namespace, labelled } = object;
  const name = recordName(object);
  const labels = labelled === undefined ? {} : { labels: { [updaterLabel]: labelled } };
  const text = what === "all" ? printKept(kept) : before?.record;
  const version = before === undefined ? {} : { resourceVersion: before.resourceVersion };
  const answered = await api.apply(
    recordPath(object),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace, ...labels, ...version },
      data: { status: statusText(kept, object), record: text },
    },
    stopping,
  );
  const resourceVersion = versionOf(answered);
  if (resourceVersion !== undefined) return { resourceVersion, record: text };
  if (answered.kind === "refused" && answered.status === statuses.conflict) return "overtaken";
  const why = answered.kind === "done" ? "its answer is not what it should be" : answered.message;
  if (!stopping.aborted) log("warning", "the record could not be written", { name, why });
  return answered.kind === "refused" && answered.status < serverFault ? "failed" : "unsure";
}

const serverFault = 500;

/** Reads a record that the watch does not show: it may lack the label, from a time when the settings named the object. Undefined if that failed. */
export async function readRecord({
  api,
  object,
  log,
  stopping,
}: WriteScope): Promise<{ readonly record: StoredRecord | undefined } | undefined> {
  const name = recordName(object);
  const answered = await api.get(recordPath(object), stopping);
  if (answered.kind === "refused" && answered.status === statuses.absent) return { record: undefined };
  const reading = readAnswer(answered, readStoredRecord);
  if (reading.kind === "read") return { record: reading.value };
  if (!stopping.aborted) log("warning", "whether there is a record cannot be told", { name, why: reading.why });
  return undefined;
}

/** An Event that was reported. An Event with the same words is the same one. */
export type ToldEvent = { readonly at: UnixSeconds; readonly times: number };

export type DueEvent = Told & {
  /** The object's uid. */
  readonly uid: string;
  /** Since when its words have been true. */
  readonly since: UnixSeconds;
  /** Set if writing the Event failed before, and the log says so. */
  readonly isLate?: true;
};

type Telling = {
  readonly now: UnixSeconds;
  /** The Events that this process wrote, by name. */
  readonly told: Map<string, ToldEvent>;
};

/** A failed Event stops nothing, because the record says the same. */
export async function writeEvent(
  { type, reason, note, uid, since, isLate }: DueEvent,
  { now, told }: Telling,
  { api, object, log, stopping }: WriteScope,
): Promise<"written" | "failed"> {
  const { namespace, kind, name: regarded } = object;
  const digest = createHash("sha256")
    .update(JSON.stringify([uid, reason, note]))
    .digest("hex")
    .slice(0, 16);
  const name = `${regarded.slice(0, 200)}.${digest}`;
  const before = told.get(name);
  // Keeps the Event's first time, but changes the Event, because the API server forgets one that does not change.
  const { at, times } = before === undefined ? { at: since, times: 1 } : { at: before.at, times: before.times + 1 };
  const answered = await api.apply(
    `/apis/events.k8s.io/v1/namespaces/${namespace}/events/${name}`,
    {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name, namespace },
      eventTime: micro(at),
      reportingController: "svc.dev/kube-updater",
      reportingInstance: hostname().slice(0, 128),
      action: "Look",
      type,
      reason,
      note,
      regarding: { apiVersion: "apps/v1", kind, namespace, name: regarded, uid },
      ...(times > 1 ? { series: { count: times, lastObservedTime: micro(now) } } : {}),
    },
    stopping,
  );
  if (answered.kind === "done") {
    told.set(name, { at, times });
    for (const oldest of [...told.keys()].slice(0, -mostTold)) told.delete(oldest);
    return "written";
  }
  // An Event with these words exists already: an earlier process wrote it.
  if (before === undefined && answered.kind === "refused" && answered.status === statuses.invalid) return "written";
  if (isLate !== true && !stopping.aborted) log("warning", "the Event could not be written", { reason, why: answered.message });
  return "failed";
}

/** Enough: an object has fewer different Events within an hour, and the API server forgets them after that. */
const mostTold = 64;

/** Prints an instant with a fraction of a second, as the API server does. */
export function micro(instant: UnixSeconds): string {
  return printInstant(instant).replace("Z", ".000000Z");
}
