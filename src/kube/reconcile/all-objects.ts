import { currentVersion } from "../objects/decide-object.ts";
import type { Standing } from "../objects/move-memory.ts";
import { referenceOf } from "../objects/object-lift.ts";
import type { KnownMember, Member } from "../objects/member.ts";
import { memoryIn, readKept } from "../objects/record.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import type { ObjectSights } from "./object-sights.ts";
import type { Sights } from "./watched-objects.ts";

/** All objects of an updater, as they are seen at the moment. `weighed`: what a dry run has made of some of them. */
export type AllObjects = (weighed?: ReadonlyMap<UpdaterSettings, Standing>) => readonly Member[];

type One = {
  readonly settings: UpdaterSettings;
  readonly sights: ObjectSights;
  readonly changes: number;
  readonly member: Member;
};

export function openAllObjects(sights: Sights): AllObjects {
  // Each of a thousand looks asks for all of them: they are made out once, and again only where something has changed.
  let ones: One[] = [];
  let all: Member[] = [];
  let listed: readonly UpdaterSettings[] = [];
  return (weighed) => {
    const each = sights.each() ?? [];
    if (each !== listed) {
      const before = new Map(ones.map((one) => [one.settings, one]));
      ones = each.map((settings) => before.get(settings) ?? made(settings, sights.of(settings.object)));
      all = ones.map(({ member }) => member);
      listed = each;
    }
    for (const [index, one] of ones.entries()) {
      if (one.changes === one.sights.changes()) continue;
      const next = made(one.settings, one.sights);
      ones[index] = next;
      all[index] = next.member;
    }
    if (weighed === undefined) return all;
    const byReference = new Map([...weighed].map(([{ object }, standing]) => [referenceOf(object), standing]));
    return all.map((member) => withWeighed(member, byReference.get(member.reference)));
  };
}

function made(settings: UpdaterSettings, sights: ObjectSights): One {
  const found = sights.sure();
  const known = found && knownOf(found, settings);
  const member = { reference: referenceOf(settings.object), channel: settings.channel, known };
  return { settings, sights, changes: sights.changes(), member };
}

type Found = NonNullable<ReturnType<ObjectSights["sure"]>>;

function knownOf({ object, record }: Found, settings: UpdaterSettings): KnownMember {
  const reading = record === undefined ? ({ kind: "nothing" } as const) : readKept(record.record, record.turn);
  return { object, current: currentVersion(object, settings), standing: memoryIn(reading, object?.uid).standing };
}

function withWeighed(member: Member, standing: Standing | undefined): Member {
  return standing === undefined || member.known === undefined ? member : { ...member, known: { ...member.known, standing } };
}
