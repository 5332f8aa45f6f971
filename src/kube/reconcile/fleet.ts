import type { Sight } from "../api-server/api-server.ts";
import { updaterLabel } from "../objects/labelled-keys.ts";
import { settingsOfLabelled } from "../objects/labelled-object.ts";
import type { ObjectName } from "../objects/object-facts.ts";
import { recordName, referenceOf } from "../objects/object-lift.ts";
import { readObject, type ObjectKind, type SeenObject } from "../objects/seen.ts";
import type { EachObject, Followed, Labelled, UpdaterSettings } from "../objects/settings.ts";
import { readStoredRecord, type StoredRecord } from "../objects/stored.ts";
import { foundIn, ObjectSights } from "./object-sights.ts";
import { objectsPath, recordsPath } from "./paths.ts";
import type { Watches } from "./watches.ts";

/** The followed objects at present, in the order in which they move. */
export type Fleet = {
  /** Undefined until they are known. */
  readonly each: () => readonly UpdaterSettings[] | undefined;
  readonly of: (object: ObjectName) => ObjectSights | undefined;
  readonly all: () => Iterable<ObjectSights>;
};

export function fleetOf(followed: Followed, watches: Watches): Fleet {
  return followed.kind === "settings"
    ? new NamedFleet(followed.settings, watches)
    : new LabelledFleet(followed.labelled, watches);
}

/** The objects that the settings name: watches each object and its record separately. */
class NamedFleet implements Fleet {
  readonly #each: EachObject;
  readonly #byReference = new Map<string, ObjectSights>();

  constructor(each: EachObject, watches: Watches) {
    this.#each = each;
    for (const { object } of each) {
      const one = new ObjectSights(object);
      this.#byReference.set(referenceOf(object), one);
      const { name, kind } = object;
      watches.follow({ path: objectsPath(object.namespace, kind), name, read: readObject }, (sight) => {
        one.seeObject(foundIn(sight, name));
        return true;
      });
      const record = recordName(object);
      const records = { path: recordsPath(object.namespace), name: record, read: readStoredRecord };
      watches.follow(records, (sight) => one.seeRecord(foundIn(sight, record)));
    }
  }

  each(): EachObject {
    return this.#each;
  }

  of(object: ObjectName): ObjectSights | undefined {
    return this.#byReference.get(referenceOf(object));
  }

  all(): Iterable<ObjectSights> {
    return this.#byReference.values();
  }
}

type Member = { readonly settings: UpdaterSettings; readonly said: string; readonly sights: ObjectSights };

/** The objects with a label: one watch for each kind of object, and one for all records. Objects come and go. */
class LabelledFleet implements Fleet {
  readonly #labelled: Labelled;
  readonly #members = new Map<string, Member>();
  readonly #byRecord = new Map<string, ObjectSights>();
  /** The kinds whose objects were seen once. Objects that cannot be seen later are still followed. */
  readonly #known = new Set<ObjectKind>();
  #records: Sight<StoredRecord> | undefined;
  #ordered: readonly UpdaterSettings[] | undefined;

  constructor(labelled: Labelled, watches: Watches) {
    this.#labelled = labelled;
    const labelSelector = `${updaterLabel}=${labelled.updater}`;
    for (const kind of kinds) {
      const what = { path: objectsPath(labelled.namespace, kind), labelSelector, read: readObject };
      watches.follow(what, (sight) => this.#seeObjects(kind, sight));
    }
    const records = { path: recordsPath(labelled.namespace), labelSelector, read: readStoredRecord };
    watches.follow(records, (sight) => this.#seeRecords(sight));
  }

  each(): readonly UpdaterSettings[] | undefined {
    if (this.#known.size < kinds.length) return undefined;
    this.#ordered ??= [...this.#members.values()].map(({ settings }) => settings).toSorted(byName);
    return this.#ordered;
  }

  of(object: ObjectName): ObjectSights | undefined {
    return this.#members.get(referenceOf(object))?.sights;
  }

  *all(): Iterable<ObjectSights> {
    for (const { sights } of this.#members.values()) yield sights;
  }

  #seeObjects(kind: ObjectKind, sight: Sight<SeenObject>): boolean {
    // An unseen object may be in the middle of a move, so the others wait.
    if (sight.kind !== "known") {
      for (const { settings, sights } of this.#members.values()) if (settings.object.kind === kind) sights.seeObject(undefined);
      return true;
    }
    this.#known.add(kind);
    if (sight.changed !== undefined) {
      this.#see(kind, sight.changed, sight.items.get(sight.changed));
      return true;
    }
    const gone = [...this.#members.values()].map(({ settings }) => settings.object).filter((one) => one.kind === kind);
    for (const { name } of gone) if (!sight.items.has(name)) this.#see(kind, name, undefined);
    for (const [name, found] of sight.items) this.#see(kind, name, found);
    return true;
  }

  #see(kind: ObjectKind, name: string, found: SeenObject | undefined): void {
    const reference = referenceOf({ kind, name });
    const before = this.#members.get(reference);
    if (found === undefined) {
      this.#members.delete(reference);
      this.#byRecord.delete(recordName({ kind, name }));
      if (before !== undefined) this.#ordered = undefined;
      return;
    }
    const said = JSON.stringify(found.instead);
    const settings =
      before?.said === said ? before.settings : settingsOfLabelled(this.#labelled, { kind, name, instead: found.instead });
    const sights = before?.sights ?? new ObjectSights(settings.object);
    sights.seeObject({ found });
    if (before?.said === said) return;
    this.#members.set(reference, { settings, said, sights });
    this.#byRecord.set(recordName({ kind, name }), sights);
    this.#ordered = undefined;
    if (before === undefined) sights.seeRecord(foundIn(this.#records, recordName({ kind, name })));
  }

  #seeRecords(sight: Sight<StoredRecord>): boolean {
    const changed = sight.kind === "known" ? sight.changed : undefined;
    this.#records = sight;
    const names = changed === undefined ? this.#byRecord.keys() : [changed];
    const news = [...names].map((name) => this.#byRecord.get(name)?.seeRecord(foundIn(sight, name)));
    return news.includes(true);
  }
}

const kinds = ["StatefulSet", "Deployment"] as const satisfies readonly ObjectKind[];

function byName({ object: one }: UpdaterSettings, { object: other }: UpdaterSettings): number {
  const [left, right] = [`${one.name} ${one.kind}`, `${other.name} ${other.kind}`];
  return left < right ? -1 : 1;
}
