import { currentVersion } from "../objects/decide-object.ts";
import { nextVersion } from "../objects/event-text.ts";
import { referenceOf } from "../objects/object-lift.ts";
import type { KnownMember, Member } from "../objects/member.ts";
import { keptIn, memoryIn, readStored, type Look } from "../objects/record.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import type { ObjectSights } from "./object-sights.ts";
import type { Sights } from "./watched-objects.ts";

/** Returns all objects of an updater at present. `weighed` replaces some of them by a dry run's results. */
export type AllObjects = (weighed?: ReadonlyMap<UpdaterSettings, Look>) => readonly Member[];

type KnownObject = {
  readonly settings: UpdaterSettings;
  readonly sights: ObjectSights;
  readonly changes: number;
  readonly member: Member;
};

export function openAllObjects(sights: Sights): AllObjects {
  // Builds the list once, and again only after a change: a thousand looks ask for all objects.
  let ones: KnownObject[] = [];
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
    const byReference = new Map([...weighed].map(([{ object }, left]) => [referenceOf(object), left]));
    return all.map((member) => withWeighed(member, byReference.get(member.reference)));
  };
}

function made(settings: UpdaterSettings, sights: ObjectSights): KnownObject {
  const found = sights.sure();
  const known = found && knownOf(found, settings);
  const member = { reference: referenceOf(settings.object), channel: settings.channel, known };
  return { settings, sights, changes: sights.changes(), member };
}

type Found = NonNullable<ReturnType<ObjectSights["sure"]>>;

function knownOf({ object, record }: Found, settings: UpdaterSettings): KnownMember {
  const reading = readStored(record);
  const { standing } = memoryIn(reading, object?.uid);
  return { object, current: currentVersion(object, settings), standing, ...decidedIn(keptIn(reading)) };
}

function decidedIn(left: Pick<Look, "decision" | "heard" | "current"> | undefined): Pick<KnownMember, "decision" | "next"> {
  return { decision: left?.decision, next: left && nextVersion(left.decision, left) };
}

function withWeighed(member: Member, left: Look | undefined): Member {
  if (left === undefined || member.known === undefined) return member;
  return { ...member, known: { ...member.known, standing: left.standing, ...decidedIn(left) } };
}
