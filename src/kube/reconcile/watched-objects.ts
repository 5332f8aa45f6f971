import type { Log } from "../../machine/logging/log.ts";
import type { ApiFailure, ApiServer, Followed, Sight } from "../api-server/api-server.ts";
import { recordName } from "../objects/object-lift.ts";
import { scheduleKey, type FoundSchedule } from "../objects/schedule.ts";
import { ownPods, readPod, readReplicaSet, type OwnPods, type SeenPod, type SeenReplicaSet } from "../objects/pods.ts";
import { readObject, type SeenObject } from "../objects/seen.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import { readStoredRecord, readStoredSchedule, type StoredRecord } from "../objects/stored.ts";

/** All that a look needs of the API server. */
export type Seen = {
  readonly object: SeenObject | undefined;
  readonly record: StoredRecord | undefined;
  readonly schedule: FoundSchedule;
  /** Of the object, where this updater moves it. */
  readonly own: OwnPods | undefined;
};

type Following = { readonly api: ApiServer; readonly log: Log; readonly stopping: AbortSignal; readonly changed: () => void };

/** What is seen through watches; no look reads anything else of the API server. */
export class Sights {
  readonly #settings: UpdaterSettings;
  readonly #log: Log;
  /** Resolves when everything has ended. */
  readonly ended: Promise<unknown>;
  #object: Sight<SeenObject> | undefined;
  #schedule: Sight<{ readonly schedule: string | undefined }> | undefined;
  #record: Sight<StoredRecord> | undefined;
  #pods: Sight<SeenPod> | undefined;
  #replicaSets: Sight<SeenReplicaSet> | undefined;
  /** The object's own pods as they were told last: nobody else's are a reason to look. */
  #ownTold = "";
  /** Of the record as this updater wrote it, until the watch has it. */
  #written: StoredRecord | undefined;
  readonly #own: string[] = [];
  readonly #troubles = new Map<string, ApiFailure>();

  constructor(settings: UpdaterSettings, { api, log, stopping, changed }: Following) {
    const { object, scheduleSecret, act } = settings;
    this.#settings = settings;
    this.#log = log;
    const core = `/api/v1/namespaces/${object.namespace}`;
    const apps = `/apis/apps/v1/namespaces/${object.namespace}`;
    const follow = <T>(
      what: Omit<Followed<T>, "fieldSelector"> & { readonly name?: string },
      keep: (sight: Sight<T>) => boolean,
    ) =>
      api.follow(
        { ...what, fieldSelector: what.name === undefined ? "" : `metadata.name=${what.name}` },
        (sight) => {
          this.#tellTrouble([what.path.replace(/^.*\//, ""), ...(what.name === undefined ? [] : [what.name])].join("/"), sight);
          // Who waits for a first sight hears of each trouble.
          if (keep(sight) || sight.kind !== "known") changed();
        },
        stopping,
      );
    this.ended = Promise.all([
      follow({ path: `${apps}/${object.kind.toLowerCase()}s`, name: object.name, read: readObject }, (sight) => {
        this.#object = sight;
        return true;
      }),
      follow({ path: `${core}/configmaps`, name: recordName(object), read: readStoredRecord }, (sight) =>
        this.#keepRecord(sight),
      ),
      ...(scheduleSecret === undefined
        ? []
        : [
            follow({ path: `${core}/secrets`, name: scheduleSecret, read: readStoredSchedule }, (sight) => {
              this.#schedule = sight;
              return true;
            }),
          ]),
      ...(act === "looks"
        ? []
        : [
            follow({ path: `${core}/pods`, read: readPod }, (sight) => {
              this.#pods = sight;
              return this.#hasOwnChanged();
            }),
          ]),
      ...(act === "looks" || object.kind === "StatefulSet"
        ? []
        : [
            follow({ path: `${apps}/replicasets`, read: readReplicaSet }, (sight) => {
              this.#replicaSets = sight;
              return this.#hasOwnChanged();
            }),
          ]),
    ]);
  }

  /** Undefined: something of it is not known at present, and nothing is decided by halves. */
  now(): Seen | undefined {
    const { object, scheduleSecret } = this.#settings;
    const schedule = this.#scheduleNow(scheduleSecret);
    if (this.#object?.kind !== "known" || this.#record?.kind !== "known" || schedule === undefined) return undefined;
    const own = this.#ownNow();
    if (own === "unknown") return undefined;
    return {
      object: this.#object.items.get(object.name),
      own,
      record: this.#written ?? this.#record.items.get(recordName(object)),
      schedule,
    };
  }

  /** What cannot be seen, and why: the first of it. */
  trouble(): { readonly name: string; readonly failure: ApiFailure } | undefined {
    const [first] = this.#troubles;
    return first && { name: first[0], failure: first[1] };
  }

  wrote(record: StoredRecord): void {
    this.#written = record;
    this.#own.push(record.resourceVersion);
    if (this.#own.length > mostOwn) this.#own.shift();
  }

  /** Somebody else has written it: the watch says what. */
  overtaken(): void {
    this.#written = undefined;
  }

  #keepRecord(sight: Sight<StoredRecord>): boolean {
    this.#record = sight;
    if (sight.kind !== "known") return true;
    const found = sight.items.get(recordName(this.#settings.object));
    if (found !== undefined && this.#own.includes(found.resourceVersion)) return false;
    this.#written = undefined;
    return true;
  }

  /** Undefined: there is no object that owns any. */
  #ownNow(): OwnPods | "unknown" | undefined {
    const { object, act } = this.#settings;
    const found = this.#object?.kind === "known" ? this.#object.items.get(object.name) : undefined;
    if (act === "looks" || found === undefined) return undefined;
    if (this.#pods?.kind !== "known") return "unknown";
    const pods = this.#pods.items.values();
    if (object.kind === "StatefulSet") return ownPods(found, pods, undefined);
    return this.#replicaSets?.kind === "known" ? ownPods(found, pods, this.#replicaSets.items.values()) : "unknown";
  }

  #hasOwnChanged(): boolean {
    const told = JSON.stringify(this.#ownNow());
    const hasChanged = told !== this.#ownTold;
    this.#ownTold = told;
    return hasChanged;
  }

  #scheduleNow(secret: string | undefined): FoundSchedule | undefined {
    if (secret === undefined) return { kind: "missing", why: "neither `window` nor `schedule_secret` is set" };
    const sight = this.#schedule;
    if (sight === undefined || sight.kind === "unreachable") return undefined;
    if (sight.kind === "refused") return { kind: "missing", why: `the Secret ${secret} cannot be read: ${sight.message}` };
    const found = sight.items.get(secret);
    if (found === undefined) return { kind: "missing", why: `there is no Secret ${secret}` };
    const { schedule } = found;
    if (schedule !== undefined) return { kind: "text", text: schedule };
    return { kind: "missing", why: `the Secret ${secret} has no key ${scheduleKey}` };
  }

  /** Each once, and when it is over. */
  #tellTrouble(name: string, sight: Sight<unknown>): void {
    const before = this.#troubles.get(name);
    if (sight.kind === "known") {
      if (before !== undefined) this.#log("info", "it can be watched again", { name });
      this.#troubles.delete(name);
      return;
    }
    this.#troubles.set(name, sight);
    if (before?.message === sight.message) return;
    this.#log("warning", "it cannot be watched", {
      name,
      why: sight.message,
      hint: sight.kind === "refused" ? watchRights : undefined,
    });
  }
}

/** The watch is never so far behind. */
const mostOwn = 16;

export const watchRights = "give the service account list and watch on it";
