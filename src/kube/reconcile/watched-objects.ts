import type { ApiFailure, Sight } from "../api-server/api-server.ts";
import type { ObjectName } from "../objects/object-facts.ts";
import { recordName, referenceOf } from "../objects/object-lift.ts";
import { scheduleKey, type FoundSchedule } from "../objects/schedule.ts";
import { readPod, readReplicaSet, type OwnPods } from "../objects/pods.ts";
import type { SeenObject } from "../objects/seen.ts";
import { commonOf, type Followed, type UpdaterSettings } from "../objects/settings.ts";
import { readStoredSchedule, type StoredRecord } from "../objects/stored.ts";
import { fleetOf, type Fleet } from "./fleet.ts";
import type { ObjectSights } from "./object-sights.ts";
import { PodSights, type Whose } from "./own-pods.ts";
import { Watches, type Following } from "./watches.ts";

/** All that a look needs from the API server. */
export type Seen = {
  readonly object: SeenObject | undefined;
  readonly record: StoredRecord | undefined;
  readonly schedule: FoundSchedule;
  /** The object's pods, if this updater moves the object. */
  readonly own: OwnPods | undefined;
  /** Why a part of the object is not seen. `record` tells whether its record is known. */
  readonly blind?: { readonly told: string; readonly record: "known" | "unknown" };
};

/** Everything that is seen, through watches. A look reads nothing else from the API server. */
export class Sights {
  readonly #watches: Watches;
  readonly #shared: SharedSights;
  readonly #fleet: Fleet;
  /** Resolves when everything has ended. */
  readonly ended: Promise<unknown>;

  constructor(followed: Followed, following: Following, withoutPods = false) {
    const watches = new Watches(following);
    this.#fleet = fleetOf(followed, watches);
    this.#shared = new SharedSights(followed, watches, withoutPods ? undefined : (whose) => this.#haveOwnPodsChanged(whose));
    this.#watches = watches;
    this.ended = Promise.all(watches.all);
  }

  /** The followed objects at present, in the order in which they move. Undefined until they are known. */
  each(): readonly UpdaterSettings[] | undefined {
    return this.#fleet.each();
  }

  /** The sight of an object. Undefined if a part of it is unknown, because no decision rests on a part. */
  now({ object, scheduleSecret }: UpdaterSettings): Seen | undefined {
    const schedule = this.#shared.schedule(scheduleSecret);
    const found = this.#fleet.of(object)?.now();
    if (found === undefined || schedule === undefined) return undefined;
    const own = found.object && this.#shared.own(object, found.object);
    return own === "unknown" ? undefined : { ...found, own, schedule };
  }

  /** The sight of an object of which the API server refuses a part. The only decision about it says so. */
  blind({ object }: UpdaterSettings): Seen | undefined {
    const { kind } = object;
    const told = this.#watches.refusedOf([`${kind.toLowerCase()}s/${object.name}`, `configmaps/${recordName(object)}`]);
    const found = this.#fleet.of(object)?.parts();
    if (told === undefined || found === undefined) return undefined;
    const record = found.record === undefined ? "unknown" : "known";
    const schedule = { kind: "missing", why: told } as const;
    return { object: found.object?.found, record: found.record?.found, own: undefined, schedule, blind: { told, record } };
  }

  of(object: ObjectName): ObjectSights {
    const found = this.#fleet.of(object);
    if (found === undefined) throw new Error(`${referenceOf(object)} is not watched`);
    return found;
  }

  /** Whether the API server has not answered yet, or is away. A refusal is an answer. */
  isAwaited(): boolean {
    return this.#watches.isAwaited();
  }

  /** The first thing that cannot be seen, and why. */
  trouble(): { readonly name: string; readonly failure: ApiFailure } | undefined {
    return this.#watches.trouble();
  }

  #haveOwnPodsChanged(whose: Whose): boolean {
    return [...this.#fleet.all()].filter((one) => one.havePodsChanged(this.#shared, whose)).length > 0;
  }
}

/** What all objects of a namespace share. */
class SharedSights {
  #schedule: Sight<{ readonly schedule: string | undefined }> | undefined;
  /** Undefined if nothing needs the pods. */
  readonly #pods: PodSights | undefined;

  constructor(followed: Followed, watches: Watches, haveOwnPodsChanged: ((whose: Whose) => boolean) | undefined) {
    const { namespace, scheduleSecret, act } = commonOf(followed);
    const core = `/api/v1/namespaces/${namespace}`;
    if (scheduleSecret !== undefined) {
      watches.follow({ path: `${core}/secrets`, name: scheduleSecret, read: readStoredSchedule }, (sight) => {
        this.#schedule = sight;
        return true;
      });
    }
    if (act === "looks" || haveOwnPodsChanged === undefined) return;
    const pods = new PodSights();
    this.#pods = pods;
    watches.follow({ path: `${core}/pods`, read: readPod }, (sight) => haveOwnPodsChanged(pods.takePods(sight)));
    const isNeeded = followed.kind === "labelled" || followed.settings.some((one) => one.object.kind === "Deployment");
    if (!isNeeded) return;
    const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
    watches.follow({ path, read: readReplicaSet }, (sight) => haveOwnPodsChanged(pods.takeSets(sight)));
  }

  own({ kind }: ObjectName, found: SeenObject): OwnPods | "unknown" | undefined {
    return this.#pods?.own(kind, found);
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
