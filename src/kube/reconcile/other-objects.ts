import { currentVersion } from "../objects/decide-object.ts";
import type { Standing } from "../objects/move-memory.ts";
import { referenceOf } from "../objects/object-lift.ts";
import type { KnownOther, Other } from "../objects/others.ts";
import { memoryIn, readKept } from "../objects/record.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import type { ObjectSights } from "./object-sights.ts";
import type { Sights } from "./watched-objects.ts";

/** All objects of an updater, as one of them sees them at the moment. `weighed`: what a dry run has made of those before it. */
export type OthersOf = (self: UpdaterSettings, weighed?: ReadonlyMap<UpdaterSettings, Standing>) => readonly Other[];

export function openOthers(sights: Sights): OthersOf {
  // Each of a thousand looks asks for all of them: they are made out once, and again only where something has changed.
  const views = new Map<string, View>();
  return ({ channel }, weighed) => {
    const view = views.get(channel) ?? new View(channel);
    views.set(channel, view);
    const each = sights.each() ?? [];
    const all = view.of(each, sights);
    if (weighed === undefined) return all;
    const byReference = new Map([...weighed].map(([{ object }, standing]) => [referenceOf(object), standing]));
    return all.map((other) => withWeighed(other, byReference.get(other.reference)));
  };
}

type One = { readonly settings: UpdaterSettings; readonly sights: ObjectSights; changes: number; other: Other };

/** As those of one channel see them. */
class View {
  readonly #channel: string;
  #each: readonly UpdaterSettings[] = [];
  #ones: readonly One[] = [];
  #all: Other[] = [];

  constructor(channel: string) {
    this.#channel = channel;
  }

  of(each: readonly UpdaterSettings[], sights: Sights): readonly Other[] {
    if (each !== this.#each) {
      const before = new Map(this.#ones.map((one) => [one.settings, one]));
      this.#ones = each.map((settings) => before.get(settings) ?? this.#made(settings, sights.of(settings.object)));
      this.#all = this.#ones.map(({ other }) => other);
      this.#each = each;
    }
    for (const [index, one] of this.#ones.entries()) {
      if (one.changes === one.sights.changes()) continue;
      Object.assign(one, this.#made(one.settings, one.sights));
      this.#all[index] = one.other;
    }
    return this.#all;
  }

  #made(settings: UpdaterSettings, sights: ObjectSights): One {
    const { object, channel } = settings;
    const found = sights.sure();
    const known = found && knownOf(found, settings);
    const other = { reference: referenceOf(object), isOfSameChannel: channel === this.#channel, known };
    return { settings, sights, changes: sights.changes(), other };
  }
}

type Found = NonNullable<ReturnType<ObjectSights["sure"]>>;

function knownOf({ object, record }: Found, settings: UpdaterSettings): KnownOther {
  const reading = record === undefined ? ({ kind: "nothing" } as const) : readKept(record.record, record.turn);
  return { object, current: currentVersion(object, settings), standing: memoryIn(reading, object?.uid).standing };
}

function withWeighed(other: Other, standing: Standing | undefined): Other {
  return standing === undefined || other.known === undefined ? other : { ...other, known: { ...other.known, standing } };
}
