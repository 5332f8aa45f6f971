import { currentVersion } from "../objects/decide-object.ts";
import type { Standing } from "../objects/move-memory.ts";
import { referenceOf } from "../objects/object-lift.ts";
import type { KnownOther, Other } from "../objects/others.ts";
import { memoryIn, readKept } from "../objects/record.ts";
import type { SeenObject } from "../objects/seen.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import type { StoredRecord } from "../objects/stored.ts";
import type { Sights } from "./watched-objects.ts";

/** Of an object all others of its updater, as they are at the moment. `weighed`: what a dry run has made of those before it. */
export type OthersOf = (self: UpdaterSettings, weighed?: ReadonlyMap<UpdaterSettings, Standing>) => readonly Other[];

type Found = { readonly object: SeenObject | undefined; readonly record: StoredRecord | undefined };

/** What was made of an object as it was seen. */
type Made = Found & { readonly reference: string; readonly known: KnownOther };

export function openOthers(sights: Sights): OthersOf {
  // Each object is made out once, and not by each of the others.
  const made = new WeakMap<UpdaterSettings, Made>();
  const madeOf = (one: UpdaterSettings, found: Found): Made => {
    const before = made.get(one);
    if (before !== undefined && before.object === found.object && before.record === found.record) return before;
    const { object, record } = found;
    const reading = record === undefined ? ({ kind: "nothing" } as const) : readKept(record.record, record.turn);
    const known = { object, current: currentVersion(object, one), standing: memoryIn(reading, object?.uid).standing };
    const now = { object, record, reference: referenceOf(one.object), known };
    made.set(one, now);
    return now;
  };
  return (self, weighed) =>
    (sights.each() ?? [])
      .filter((one) => one !== self)
      .map((one) => {
        const isOfSameChannel = one.channel === self.channel;
        const found = sights.of(one.object).sure();
        if (found === undefined) return { reference: referenceOf(one.object), isOfSameChannel, known: undefined };
        const { reference, known } = madeOf(one, found);
        const standing = weighed?.get(one);
        return { reference, isOfSameChannel, known: standing === undefined ? known : { ...known, standing } };
      });
}
