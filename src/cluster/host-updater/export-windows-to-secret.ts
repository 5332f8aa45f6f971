import { setTimeout as sleep } from "node:timers/promises";
import { openApiServer, type ApiFailure, type ApiServer, type Sight } from "../../kube/api-server/api-server.ts";
import { recordName } from "../../kube/objects/object-lift.ts";
import { readKept } from "../../kube/objects/record.ts";
import { printExported, scheduleKey } from "../../kube/objects/schedule.ts";
import { readStoredRecord, type StoredRecord } from "../../kube/objects/stored.ts";
import type { Log } from "../../machine/logging/log.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { KubeConfiguration } from "../services/kube-section.ts";
import { describeKept } from "./describe-kept.ts";
import type { Updater } from "./updater.ts";

/** Yields to others: a schedule that somebody set by hand stays, and is reported. */
const client = { name: "svc", toOthers: "yield" } as const;

/** The updater of this pod's object. Watches its record, and writes the windows into the Secret that it reads. */
export function updaterInKube(kube: KubeConfiguration, log: Log): Updater {
  const stop = new AbortController();
  const api = openApiServer(kube.apiServer, client);
  const record = new RecordSight(kube, { log, stopping: stop.signal });
  let exported: string | undefined;
  return {
    describe: async () => {
      const sight = await record.known();
      const found = sight?.kind === "known" ? sight.items.get(recordName(kube.object)) : undefined;
      const reading = readKept(found?.record);
      return reading.kind === "kept"
        ? describeKept(reading.record, { object: kube.object, isExported: exported !== undefined })
        : undefined;
    },
    schedule: async ({ openings }) => {
      const sight = await record.known();
      if (isForbidden(sight)) return "none";
      const text = printExported(openings);
      await exportSchedule(text, { api, kube, signal: stop.signal });
      const done = exported === text ? "same" : "written";
      exported = text;
      return done;
    },
    watch: (changed) => {
      void record.follow(api, changed);
      return {
        close: () => {
          stop.abort();
          void api.close();
        },
      };
    },
    isHostGoingDown: () => Promise.resolve(false),
  };
}

const forbidden = 403;
const conflict = 409;

/** Writes the schedule even if nothing changed, to restore a deleted Secret. The API server stores nothing if the content is the same. */
async function exportSchedule(
  text: string,
  { api, kube, signal }: { readonly api: ApiServer; readonly kube: KubeConfiguration; readonly signal: AbortSignal },
): Promise<void> {
  const { namespace, scheduleSecret: name } = kube;
  const answered = await api.apply(
    `/api/v1/namespaces/${namespace}/secrets/${name}`,
    { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, data: { [scheduleKey]: btoa(text) } },
    signal,
  );
  if (answered.kind === "done") return;
  throw new Fault("file-failed", {
    message: `the Secret ${namespace}/${name} could not be written: ${answered.message}`,
    hint: hintFor(answered, kube),
  });
}

function hintFor(failure: ApiFailure, { namespace, scheduleSecret }: KubeConfiguration): string {
  const status = failure.kind === "refused" ? failure.status : undefined;
  if (status === forbidden) return "give the service account `create` and `patch` on it, by name";
  if (status === conflict)
    return `somebody else has set it: \`kubectl -n ${namespace} delete secret ${scheduleSecret}\`, and it is written again`;
  return "it is tried again as soon as the API server answers, and with every report";
}

/** Asks again after this time. Without the rights no updater is found, but one may be switched on later. */
const askAgainMs = 600_000;

type Surroundings = { readonly log: Log; readonly stopping: AbortSignal };

class RecordSight {
  readonly #kube: KubeConfiguration;
  readonly #log: Log;
  readonly #stopping: AbortSignal;
  readonly #first = Promise.withResolvers<undefined>();
  #sight: Sight<StoredRecord> | undefined;
  #trouble: string | undefined;

  constructor(kube: KubeConfiguration, { log, stopping }: Surroundings) {
    this.#kube = kube;
    this.#log = log;
    this.#stopping = stopping;
    stopping.addEventListener("abort", () => this.#first.resolve(undefined), { once: true });
  }

  /** The last sight, as soon as there is one. Undefined if the wait was stopped. While the API server is away, the last record counts. */
  async known(): Promise<Sight<StoredRecord> | undefined> {
    await this.#first.promise;
    return this.#sight;
  }

  async follow(api: ApiServer, changed: () => void): Promise<void> {
    const { namespace, object } = this.#kube;
    const name = recordName(object);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const what = { path, fieldSelector: `metadata.name=${name}`, read: readStoredRecord };
    while (!this.#stopping.aborted) {
      const refused = new AbortController();
      const seen = (sight: Sight<StoredRecord>): void => {
        this.#tell(name, sight);
        if (sight.kind !== "unreachable" || this.#sight?.kind !== "known") this.#sight = sight;
        this.#first.resolve(undefined);
        if (sight.kind === "known") changed();
        else if (isForbidden(sight)) refused.abort();
      };
      await api.follow(what, seen, AbortSignal.any([this.#stopping, refused.signal]));
      await sleep(askAgainMs, undefined, { signal: this.#stopping }).catch(() => undefined);
    }
  }

  /** Logs a trouble once, and its end. */
  #tell(record: string, sight: Sight<unknown>): void {
    const before = this.#trouble;
    this.#trouble = sight.kind === "known" ? undefined : sight.message;
    if (this.#trouble === before) return;
    if (sight.kind === "known") this.#log("notice", "the record of the updater can be watched again", { record });
    else if (isForbidden(sight))
      this.#log("info", "no updater keeps this pod: its account may not watch the record of one", { record });
    else this.#log("warning", "the record of the updater cannot be watched", { record, why: sight.message });
  }
}

function isForbidden(sight: Sight<unknown> | undefined): boolean {
  return sight?.kind === "refused" && sight.status === forbidden;
}
