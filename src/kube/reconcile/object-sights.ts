import type { Sight } from "../api-server/api-server.ts";
import type { ObjectName } from "../objects/object-facts.ts";
import type { OwnPods } from "../objects/pods.ts";
import { readKept } from "../objects/record.ts";
import type { SeenObject } from "../objects/seen.ts";
import { unwiped, type StoredRecord } from "../objects/stored.ts";
import type { Whose } from "./own-pods.ts";

/** A sight of one item; undefined if nothing is known of it. */
export type Found<T> = { readonly found: T | undefined } | undefined;

export function foundIn<T>(sight: Sight<T> | undefined, name: string): Found<T> {
  return sight?.kind === "known" ? { found: sight.items.get(name) } : undefined;
}

/** One object and its record. */
export class ObjectSights {
  readonly #name: ObjectName;
  #object: Found<SeenObject>;
  #record: Found<StoredRecord>;
  /** The object's own pods as they were last reported: other pods are no reason to look. */
  #ownTold = "";
  /** The record as this updater wrote it, until the watch has it. */
  #written: StoredRecord | undefined;
  /** The stored record may be newer than the watch's. */
  #isUnsure = false;
  readonly #own: string[] = [];
  /** The last readable record. */
  #known: string | undefined;
  #changes = 0;

  constructor(name: ObjectName) {
    this.#name = name;
  }

  /** Another number than before means that its sight may have changed. */
  changes(): number {
    return this.#changes;
  }

  now(): { readonly object: SeenObject | undefined; readonly record: StoredRecord | undefined } | undefined {
    const { object, record } = this.parts();
    return object && record && { object: object.found, record: record.found };
  }

  /** Each part as far as it is known. */
  parts(): { readonly object: Found<SeenObject>; readonly record: Found<StoredRecord> } {
    const record = this.#record && { found: this.#written ?? unwiped(this.#record.found, this.#known) };
    return { object: this.#object, record };
  }

  /** The sight, only if the record is surely known, because other objects depend on it. */
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

  /** Whether it is a reason to look. */
  seeRecord(sight: Found<StoredRecord>): boolean {
    this.#changes += 1;
    this.#record = sight;
    if (sight === undefined) return true;
    const { found } = sight;
    if (found !== undefined && this.#own.includes(found.resourceVersion)) {
      if (found.resourceVersion !== this.#written?.resourceVersion) return false;
      // Among many objects the same text twice counts.
      this.#written = undefined;
      this.#known = found.record;
      return false;
    }
    this.#written = undefined;
    this.#isUnsure = false;
    // A removed or unreadable record is not written again.
    if (found?.record !== undefined) this.#known = readKept(found.record).kind === "kept" ? found.record : undefined;
    if (found === undefined) this.#known = undefined;
    return true;
  }
}

/** The watch is never so far behind. */
const mostOwn = 16;
