import { currentVersion } from "../objects/decide-object.ts";
import type { Standing } from "../objects/move-memory.ts";
import { referenceOf } from "../objects/object-lift.ts";
import type { Other } from "../objects/others.ts";
import { memoryIn, readKept, type KeptReading } from "../objects/record.ts";
import type { EachObject, UpdaterSettings } from "../objects/settings.ts";
import type { StoredRecord } from "../objects/stored.ts";
import type { Sights } from "./watched-objects.ts";

/** Of an object all others of its updater, as they are at the moment. `weighed`: what a dry run has made of those before it. */
export type OthersOf = (self: UpdaterSettings, weighed?: ReadonlyMap<UpdaterSettings, Standing>) => readonly Other[];

export function openOthers(each: EachObject, sights: Sights): OthersOf {
  // A record is read once, not by each of the others.
  const readings = new WeakMap<StoredRecord, KeptReading>();
  const readingOf = (record: StoredRecord | undefined): KeptReading => {
    if (record === undefined) return { kind: "nothing" };
    const reading = readings.get(record) ?? readKept(record.record, record.turn);
    readings.set(record, reading);
    return reading;
  };
  return (self, weighed) =>
    each
      .filter((one) => one !== self)
      .map((one) => {
        const found = sights.of(one.object).now();
        const standing = found && (weighed?.get(one) ?? memoryIn(readingOf(found.record), found.object?.uid).standing);
        const known =
          found === undefined || standing === undefined
            ? undefined
            : { object: found.object, current: currentVersion(found.object, one), standing };
        return { reference: referenceOf(one.object), isOfSameChannel: one.channel === self.channel, known };
      });
}
