import type { Sight } from "../api-server/api-server.ts";
import type { ObjectName } from "../objects/object-facts.ts";
import type { OwnPods } from "../objects/pods.ts";
import { readKept } from "../objects/record.ts";
import type { SeenObject } from "../objects/seen.ts";
import { unwiped, type StoredRecord } from "../objects/stored.ts";
import type { Whose } from "./own-pods.ts";

/** One item as it was seen, where it may not exist. Undefined if nothing is known of it. */
export type Found<T> = { readonly found: T | undefined } | undefined;

export function foundIn<T>(sight: Sight<T> | undefined, name: string): Found<T> {
  return sight?.kind === "known" ? { found: sight.items.get(name) } : undefined;
}

/** What is seen of one object and its record. */
export class ObjectSights {
  readonly #name: ObjectName;
  #object: Found<SeenObject>;
  #record: Found<StoredRecord>;
  /** The object's own pods when they were last reported. Only a change of these is a reason to look. */
  #ownTold = "";
  /** The record as this updater wrote it, until the watch shows it. */
  #written: StoredRecord | undefined;
  /** Whether the stored record may be newer than the one that the watch shows. */
  #isUnsure = false;
  readonly #own: string[] = [];
  /** The last readable record. */
  #known: string | undefined;
  #changes = 0;

  constructor(name: ObjectName) {
    this.#name = name;
  }

  /** A number that rises when the sight may have changed. */
  changes(): number {
    return this.#changes;
  }

  now(): { readonly object: SeenObject | undefined; readonly record: StoredRecord | undefined } | undefined {
    const { object, record } = this.parts();
    return object && record && { object: object.found, record: record.found };
  }

  /** Each part, if it is known. */
  parts(): { readonly object: Found<SeenObject>; readonly record: Found<StoredRecord> } {
    const record = this.#record && { found: this.#written ?? unwiped(this.#record.found, this.#known) };
    return { object: this.#object, record };
  }

  /** The sight, but only if the record is certain, because other objects depend on it. */
  sure(): ReturnType<ObjectSights["now"]> {
    return this.#isUnsure ? undefined : this.now();
  }

  /** Call this if a write's answer was lost: the write may have succeeded, and only the next write or the watch can tell. */
  unsure(): void {
    this.#changes += 1;
    this.#isUnsure = true;
  }

  isUnsure(): boolean {
    return this.#isUnsure;
  }

  wrote(record: StoredRecord): void {
    this.#changes += 1;
    this.#isUnsure = false;
    this.#written = record;
    this.#known = record.record;
    this.#own.push(record.resourceVersion);
    if (this.#own.length > mostOwn) this.#own.shift();
  }

  /** Call this if another process wrote the record: the watch shows the new content. */
  overtaken(): void {
    this.#changes += 1;
    this.#written = undefined;
  }

  havePodsChanged(
    pods: { readonly own: (object: ObjectName, found: SeenObject) => OwnPods | "unknown" | undefined },
    whose: Whose,
  ): boolean {
    const found = this.#object?.found;
    if (whose !== "all" && (found === undefined || !whose.has(found.uid))) return false;
    const told = JSON.stringify(found && pods.own(this.#name, found));
    const hasChanged = told !== this.#ownTold;
    this.#ownTold = told;
    return hasChanged;
  }

  seeObject(found: Found<SeenObject>): void {
    this.#changes += 1;
    this.#object = found;
  }

  /** Takes a sight of the record. Returns whether it is a reason to look. */
  seeRecord(sight: Found<StoredRecord>): boolean {
    this.#changes += 1;
    this.#record = sight;
    if (sight === undefined) return true;
    const { found } = sight;
    if (found !== undefined && this.#own.includes(found.resourceVersion)) {
      if (found.resourceVersion !== this.#written?.resourceVersion) return false;
      // The watch has our text now. A second copy would count with many objects.
      this.#written = undefined;
      this.#known = found.record;
      return false;
    }
    this.#written = undefined;
    this.#isUnsure = false;
    // Forgets the record if it was removed or cannot be read, so that it is not written again.
    if (found?.record !== undefined) this.#known = readKept(found.record).kind === "kept" ? found.record : undefined;
    if (found === undefined) this.#known = undefined;
    return true;
  }
}

/** How many of our own writes we recognise. The watch is never that far behind. */
const mostOwn = 16;
