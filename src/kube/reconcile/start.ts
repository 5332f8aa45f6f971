import type { Log } from "../../machine/logging/log.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { proxyVariablesIn, unusableNoProxyEntries } from "../../rules/route/route.ts";
import { openApiServer, updaterClient } from "../api-server/api-server.ts";
import { referenceOf } from "../objects/object-lift.ts";
import { updaterLabel } from "../objects/labelled-keys.ts";
import { commonOf, type Followed, type UpdaterSettings } from "../objects/settings.ts";
import { Bell } from "./wake-up.ts";
import { Leadership, whileLeading } from "./leadership.ts";
import { look } from "./look.ts";
import type { LookMemory, LookScope } from "./look-scope.ts";
import { openAllObjects } from "./all-objects.ts";
import { servePages, type Progress } from "./serve-pages.ts";
import { nowSeconds, scopeOpener } from "./scope.ts";
import { Sights, type Seen } from "./watched-objects.ts";
import { readRecord } from "./write.ts";

export type Running = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

/** One object, and what its looks remember. */
type Kept = {
  readonly settings: UpdaterSettings;
  readonly scope: LookScope;
  memory: LookMemory | undefined;
  /** When it is looked at again, whatever happens. */
  dueMs: number;
};

/** Looks whenever something changes, a decision ends or time has passed. Runs until it is stopped. */
export async function run(followed: Followed, { environment, log, stopping }: Running): Promise<void> {
  const common = commonOf(followed);
  const { apiServer, deadlines, listen, lease } = common;
  const proxies = proxyVariablesIn(environment);
  for (const entry of unusableNoProxyEntries(proxies)) log("warning", "an entry of NO_PROXY means nothing", { entry });
  const api = openApiServer(apiServer, updaterClient);
  const progress: Progress = { looks: new Map(), outcomes: new Map(), unseen: unknownYet(followed) };
  const closePages = listen === undefined ? () => undefined : await servePages(listen, progress);
  const bell = new Bell();
  const changed = (): void => bell.ring();
  const leadership =
    lease === undefined ? undefined : new Leadership(lease, common, { api, log, stopping, environment, changed });
  const leads = leadership && (() => leadership.leads());
  if (leads !== undefined) progress.leads = leads;
  const sights = new Sights(followed, { api, log, stopping, changed });
  const scopeOf = scopeOpener(followed, { api, proxies, log, stopping, all: openAllObjects(sights) });
  const writing = leads === undefined ? api : whileLeading(api, leads);
  const join = (settings: UpdaterSettings): Kept => {
    const { object, act } = settings;
    const does = act === "moves" ? "follows the channel" : "mode: report: looks and says why, and changes no image";
    log("info", does, { namespace: object.namespace, object: object.name });
    const own = { api: writing, object, log, sights: sights.of(object), remindSeconds: deadlines.remind, told: new Map() };
    const dueMs = monotonicMs() + deadlines.look * 1000;
    return { settings, scope: { ...scopeOf(settings), ...own }, memory: undefined, dueMs };
  };
  const fleet = openFleet(sights, { join, log, progress });
  try {
    await keepLooking(fleet, { bell, sights, progress, stopping, deadlines, leads, unknown: unknownYet(followed) });
  } finally {
    closePages();
    await leadership?.release();
    await api.close();
    await sights.ended;
  }
}

function unknownYet(followed: Followed): readonly string[] {
  if (followed.kind === "labelled") return [`${updaterLabel}=${followed.labelled.updater}`];
  return followed.settings.map(({ object }) => referenceOf(object));
}

type Joining = { readonly join: (settings: UpdaterSettings) => Kept; readonly log: Log; readonly progress: Progress };

/** The followed objects at present, in their order. */
type Fleet = () => readonly Kept[];

function openFleet(sights: Sights, { join, log, progress }: Joining): Fleet {
  const kept = new Map<UpdaterSettings, Kept>();
  let each: readonly UpdaterSettings[] | undefined;
  return () => {
    const now = sights.each() ?? [];
    if (now === each) return [...kept.values()];
    each = now;
    const names = new Set(now.map(({ object }) => referenceOf(object)));
    const before = new Map(kept);
    kept.clear();
    for (const settings of now) {
      kept.set(settings, before.get(settings) ?? join(settings));
      const name = referenceOf(settings.object);
      progress.looks.set(name, progress.looks.get(name) ?? 0);
    }
    for (const { object } of before.keys()) {
      const name = referenceOf(object);
      if (names.has(name)) continue;
      log("info", "it is gone or has lost its label, and is no longer followed", {
        namespace: object.namespace,
        object: object.name,
      });
      progress.looks.delete(name);
      progress.outcomes.delete(name);
    }
    return [...kept.values()];
  };
}

/** The wait after another process wrote the record. The watch shows it within seconds. */
const overtakenSeconds = 10;
/** The wait after a record that could not be read by name. */
const unreadSeconds = 60;

type Looking = {
  readonly bell: Bell;
  readonly sights: Sights;
  readonly progress: Progress;
  readonly stopping: AbortSignal;
  readonly deadlines: UpdaterSettings["deadlines"];
  /** Undefined if this is the only updater. */
  readonly leads: (() => boolean) | undefined;
  /** What cannot be seen, while the objects are unknown. */
  readonly unknown: readonly string[];
};

/** Any object's event starts a look at all objects, because the others may wait for it. */
async function keepLooking(
  fleet: Fleet,
  { bell, sights, progress, stopping, deadlines, leads, unknown }: Looking,
): Promise<void> {
  let ahead = clockAhead();
  for (;;) {
    const longestMs = monotonicMs() + deadlines.look * 1000;
    const waitMs = Math.max(0, fleet().reduce((least, { dueMs }) => Math.min(least, dueMs), longestMs) - monotonicMs());
    const isEvent = await bell.rings(waitMs, stopping);
    // Events that come together cause one look. The first look does not wait.
    if (isEvent && fleet().some(({ memory }) => memory !== undefined)) await gather(bell, deadlines.gather, stopping);
    if (stopping.aborted) return;
    const all = fleet();
    const before = ahead;
    ahead = clockAhead();
    const hasLeapt = Math.abs(ahead - before) > leapSeconds;
    const unseen = all.filter(({ settings }) => sights.now(settings) === undefined);
    progress.unseen = sights.each() === undefined ? unknown : unseen.map(({ settings }) => referenceOf(settings.object));
    const isAwaited = sights.isAwaited() || leads?.() === false;
    for (const one of all) {
      // What was seen before will be old when this process leads again.
      if (leads?.() === false) {
        one.memory = undefined;
        progress.outcomes.delete(referenceOf(one.settings.object));
      }
      const isDue = monotonicMs() >= one.dueMs;
      const found = sights.now(one.settings);
      // After a leap of the clock, nobody knows for how long a state was seen.
      if ((found === undefined || hasLeapt) && one.memory !== undefined) one.memory = { ...one.memory, watched: undefined };
      const shown = isAwaited ? undefined : (found ?? sights.blind(one.settings));
      const seen = shown && (await withRecord(shown, one.scope));
      if (seen === undefined) {
        const seconds = shown === undefined ? deadlines.look : Math.min(unreadSeconds, deadlines.look);
        if (isDue || shown !== undefined) one.dueMs = monotonicMs() + seconds * 1000;
        continue;
      }
      const looked = await look(isDue && !isEvent ? "time" : "event", { seen, memory: one.memory }, one.scope);
      if (looked === undefined) return;
      const name = referenceOf(one.settings.object);
      progress.looks.set(name, (progress.looks.get(name) ?? 0) + 1);
      progress.outcomes.set(name, looked.outcome);
      one.memory = looked.memory;
      one.dueMs = monotonicMs() + 1000 * nextLook(looked, { now: one.scope.now(), lookSeconds: deadlines.look });
    }
  }
}

/** A smaller difference is a clock that is corrected gradually. */
const leapSeconds = 10;

/** The wall clock minus the monotonic clock, in seconds. It changes when the wall clock is set. */
function clockAhead(): number {
  return nowSeconds() - monotonicMs() / 1000;
}

/** Reads the record by name if the watch lacks it, because no decision is possible without it. */
async function withRecord(seen: Seen, scope: LookScope): Promise<Seen | undefined> {
  if (seen.record !== undefined || seen.blind?.record === "unknown" || scope.object.labelled === undefined) return seen;
  const read = await readRecord(scope);
  return read && { ...seen, ...read };
}

function nextLook(
  { until, isOvertaken }: { readonly until: UnixSeconds | undefined; readonly isOvertaken: boolean },
  { now, lookSeconds }: { readonly now: UnixSeconds; readonly lookSeconds: number },
): number {
  if (isOvertaken) return Math.min(overtakenSeconds, lookSeconds);
  return until === undefined ? lookSeconds : Math.max(1, Math.min(lookSeconds, until - now + 1));
}

async function gather(bell: Bell, seconds: number, stopping: AbortSignal): Promise<void> {
  const untilMs = Date.now() + seconds * 1000;
  for (let leftMs = seconds * 1000; leftMs > 0 && !stopping.aborted; leftMs = untilMs - Date.now()) {
    await bell.rings(leftMs, stopping);
  }
}
