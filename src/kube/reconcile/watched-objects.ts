import type { Log } from "../../machine/logging/log.ts";
import type { ApiFailure, ApiServer, Followed, Sight } from "../api-server/api-server.ts";
import type { ObjectName } from "../objects/object-facts.ts";
import { recordName, referenceOf } from "../objects/object-lift.ts";
import { readKept } from "../objects/record.ts";
import { scheduleKey, type FoundSchedule } from "../objects/schedule.ts";
import { ownPods, readPod, readReplicaSet, type OwnPods, type SeenPod, type SeenReplicaSet } from "../objects/pods.ts";
import { readObject, type SeenObject } from "../objects/seen.ts";
import type { EachObject, UpdaterSettings } from "../objects/settings.ts";
import { readStoredRecord, readStoredSchedule, unwiped, type StoredRecord } from "../objects/stored.ts";

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
  readonly #watches: Watches;
  readonly #shared: SharedSights;
  readonly #byName: ReadonlyMap<string, ObjectSights>;
  /** Resolves when everything has ended. */
  readonly ended: Promise<unknown>;

  constructor(each: EachObject, following: Following) {
    const watches = new Watches(following);
    const rows = each.map(({ object }) => [referenceOf(object), new ObjectSights(object, watches)] as const);
    this.#byName = new Map(rows);
    this.#shared = new SharedSights(each, watches, () => this.#haveOwnPodsChanged());
    this.#watches = watches;
    this.ended = Promise.all(watches.all);
  }

  /** Undefined: something of it is not known at present, and nothing is decided by halves. */
  now({ object, scheduleSecret, act }: UpdaterSettings): Seen | undefined {
    const schedule = this.#shared.schedule(scheduleSecret);
    const found = this.of(object).now();
    if (found === undefined || schedule === undefined) return undefined;
    const own = act === "looks" || found.object === undefined ? undefined : this.#shared.own(object, found.object);
    return own === "unknown" ? undefined : { ...found, own, schedule };
  }

  of(object: ObjectName): ObjectSights {
    const found = this.#byName.get(referenceOf(object));
    if (found === undefined) throw new Error(`${referenceOf(object)} is not watched`);
    return found;
  }

  /** Whether the API server has yet to say something, or is away. What it refuses it has said. */
  isAwaited(): boolean {
    return this.#watches.isAwaited();
  }

  /** What cannot be seen, and why: the first of it. */
  trouble(): { readonly name: string; readonly failure: ApiFailure } | undefined {
    return this.#watches.trouble();
  }

  #haveOwnPodsChanged(): boolean {
    return [...this.#byName.values()].filter((one) => one.havePodsChanged(this.#shared)).length > 0;
  }
}

/** Everything that is followed. */
class Watches {
  readonly all: Promise<void>[] = [];
  readonly #following: Following;
  /** By name: nothing was heard of it yet, or it cannot be followed. */
  readonly #awaited = new Set<string>();
  readonly #troubles = new Map<string, ApiFailure>();

  constructor(following: Following) {
    this.#following = following;
  }

  /** `keep`: whether it is a reason to look. */
  follow<T>(
    { name, ...what }: Omit<Followed<T>, "fieldSelector"> & { readonly name?: string },
    keep: (sight: Sight<T>) => boolean,
  ): void {
    const { api, stopping, changed } = this.#following;
    const told = [what.path.replace(/^.*\//, ""), ...(name === undefined ? [] : [name])].join("/");
    this.#awaited.add(told);
    const seen = (sight: Sight<T>): void => {
      // A look may have waited for nothing else, though nothing has changed.
      const wasAwaited = this.#awaited.has(told);
      if (sight.kind === "unreachable") this.#awaited.add(told);
      else this.#awaited.delete(told);
      this.#tellTrouble(told, sight);
      // Who waits for a first sight hears of each trouble.
      if (keep(sight) || wasAwaited || sight.kind !== "known") changed();
    };
    this.all.push(api.follow({ ...what, fieldSelector: name === undefined ? "" : `metadata.name=${name}` }, seen, stopping));
  }

  isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  trouble(): { readonly name: string; readonly failure: ApiFailure } | undefined {
    const [first] = this.#troubles;
    return first && { name: first[0], failure: first[1] };
  }

  /** Each once, and when it is over. */
  #tellTrouble(name: string, sight: Sight<unknown>): void {
    const { log } = this.#following;
    const before = this.#troubles.get(name);
    if (sight.kind === "known") {
      if (before !== undefined) log("info", "it can be watched again", { name });
      this.#troubles.delete(name);
      return;
    }
    this.#troubles.set(name, sight);
    if (before?.message === sight.message) return;
    log("warning", "it cannot be watched", {
      name,
      why: sight.message,
      hint: sight.kind === "refused" ? watchRights : undefined,
    });
  }
}

/** What the objects have in common, which are of one namespace: it is followed once. */
class SharedSights {
  #schedule: Sight<{ readonly schedule: string | undefined }> | undefined;
  #pods: Sight<SeenPod> | undefined;
  #replicaSets: Sight<SeenReplicaSet> | undefined;

  constructor(each: EachObject, watches: Watches, haveOwnPodsChanged: () => boolean) {
    const [{ object, scheduleSecret, act }] = each;
    const core = `/api/v1/namespaces/${object.namespace}`;
    if (scheduleSecret !== undefined) {
      watches.follow({ path: `${core}/secrets`, name: scheduleSecret, read: readStoredSchedule }, (sight) => {
        this.#schedule = sight;
        return true;
      });
    }
    if (act === "looks") return;
    watches.follow({ path: `${core}/pods`, read: readPod }, (sight) => {
      this.#pods = sight;
      return haveOwnPodsChanged();
    });
    if (!each.some((one) => one.object.kind === "Deployment")) return;
    const path = `/apis/apps/v1/namespaces/${object.namespace}/replicasets`;
    watches.follow({ path, read: readReplicaSet }, (sight) => {
      this.#replicaSets = sight;
      return haveOwnPodsChanged();
    });
  }

  own({ kind }: ObjectName, found: SeenObject): OwnPods | "unknown" {
    if (this.#pods?.kind !== "known") return "unknown";
    const pods = this.#pods.items.values();
    if (kind === "StatefulSet") return ownPods(found, pods, undefined);
    return this.#replicaSets?.kind === "known" ? ownPods(found, pods, this.#replicaSets.items.values()) : "unknown";
  }

  schedule(secret: string | undefined): FoundSchedule | undefined {
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
}

/** One object and its record. */
export class ObjectSights {
  readonly #name: ObjectName;
  #object: Sight<SeenObject> | undefined;
  #record: Sight<StoredRecord> | undefined;
  /** The object's own pods as they were told last: nobody else's are a reason to look. */
  #ownTold = "";
  /** Of the record as this updater wrote it, until the watch has it. */
  #written: StoredRecord | undefined;
  readonly #own: string[] = [];
  /** The record as it was last, where it could be read. */
  #known: string | undefined;

  constructor(object: ObjectName, watches: Watches) {
    const { namespace, kind, name } = object;
    this.#name = object;
    const path = `/apis/apps/v1/namespaces/${namespace}/${kind.toLowerCase()}s`;
    watches.follow({ path, name, read: readObject }, (sight) => {
      this.#object = sight;
      return true;
    });
    const records = `/api/v1/namespaces/${namespace}/configmaps`;
    watches.follow({ path: records, name: recordName(object), read: readStoredRecord }, (sight) => this.#keepRecord(sight));
  }

  now(): Pick<Seen, "object" | "record"> | undefined {
    if (this.#object?.kind !== "known" || this.#record?.kind !== "known") return undefined;
    return {
      object: this.#object.items.get(this.#name.name),
      record: this.#written ?? unwiped(this.#record.items.get(recordName(this.#name)), this.#known),
    };
  }

  wrote(record: StoredRecord): void {
    this.#written = record;
    this.#known = record.record;
    this.#own.push(record.resourceVersion);
    if (this.#own.length > mostOwn) this.#own.shift();
  }

  /** Somebody else has written it: the watch says what. */
  overtaken(): void {
    this.#written = undefined;
  }

  havePodsChanged(shared: SharedSights): boolean {
    const found = this.#object?.kind === "known" ? this.#object.items.get(this.#name.name) : undefined;
    const told = JSON.stringify(found && shared.own(this.#name, found));
    const hasChanged = told !== this.#ownTold;
    this.#ownTold = told;
    return hasChanged;
  }

  #keepRecord(sight: Sight<StoredRecord>): boolean {
    this.#record = sight;
    if (sight.kind !== "known") return true;
    const found = sight.items.get(recordName(this.#name));
    if (found !== undefined && this.#own.includes(found.resourceVersion)) return false;
    this.#written = undefined;
    // What was removed, or could not be read, is not written again.
    if (found?.record !== undefined) this.#known = readKept(found.record).kind === "kept" ? found.record : undefined;
    if (found === undefined) this.#known = undefined;
    return true;
  }
}

/** The watch is never so far behind. */
const mostOwn = 16;

export const watchRights = "give the service account list and watch on it";
