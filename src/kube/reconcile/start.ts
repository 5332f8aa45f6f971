import type { Log } from "../../machine/logging/log.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { proxyVariablesIn, unusableNoProxyEntries } from "../../rules/route/route.ts";
import { openApiServer, updaterClient } from "../api-server/api-server.ts";
import { referenceOf } from "../objects/object-lift.ts";
import type { EachObject, UpdaterSettings } from "../objects/settings.ts";
import { Bell } from "./wake-up.ts";
import { Leadership, whileLeading } from "./leadership.ts";
import { look, type Lately, type LookScope } from "./look.ts";
import { openOthers } from "./other-objects.ts";
import { servePages, type Progress } from "./serve-pages.ts";
import { weighScopes } from "./scope.ts";
import { Sights } from "./watched-objects.ts";

export type Running = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

/** One object, and what its looks leave. */
type Kept = {
  readonly settings: UpdaterSettings;
  readonly scope: LookScope;
  lately: Lately | undefined;
  /** When it is looked at again, whatever happens. */
  dueMs: number;
};

/** Looks whenever something changes, a decision ends or time has passed, until it is stopped. */
export async function run(each: EachObject, { environment, log, stopping }: Running): Promise<void> {
  const [first] = each;
  const { apiServer, deadlines, listen, lease } = first;
  const proxies = proxyVariablesIn(environment);
  for (const entry of unusableNoProxyEntries(proxies)) log("warning", "an entry of NO_PROXY means nothing", { entry });
  const api = openApiServer(apiServer, updaterClient);
  const names = each.map(({ object }) => referenceOf(object));
  const progress: Progress = { looks: new Map(names.map((name) => [name, 0])), unseen: names };
  const closePages = listen === undefined ? () => undefined : await servePages(listen, progress);
  const bell = new Bell();
  const changed = (): void => bell.ring();
  const leadership = lease === undefined ? undefined : new Leadership(lease, first, { api, log, stopping, environment, changed });
  const leads = leadership && (() => leadership.leads());
  if (leads !== undefined) progress.leads = leads;
  const sights = new Sights(each, { api, log, stopping, changed });
  const scopes = weighScopes(each, { api, proxies, log, stopping, others: openOthers(each, sights) });
  const dueMs = monotonicMs() + deadlines.look * 1000;
  const all = scopes.map((weighing, index): Kept => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is a scope for each
    const settings = each[index] as UpdaterSettings;
    const { object } = settings;
    const writing = leads === undefined ? api : whileLeading(api, leads);
    const own = { api: writing, object, log, sights: sights.of(object), remindSeconds: deadlines.remind, told: new Map() };
    return { settings, scope: { ...weighing, ...own }, lately: undefined, dueMs };
  });
  for (const { object, act } of each) {
    const does = act === "moves" ? "follows the channel" : "mode: report: looks and says why, and changes no image";
    log("info", does, { namespace: object.namespace, object: object.name });
  }
  try {
    await keepLooking(all, { bell, sights, progress, stopping, deadlines, leads });
  } finally {
    closePages();
    await leadership?.release();
    await api.close();
    await sights.ended;
  }
}

/** The record is somebody else's at this moment; the watch says within seconds what it is now. */
const overtakenSeconds = 10;

type Looking = {
  readonly bell: Bell;
  readonly sights: Sights;
  readonly progress: Progress;
  readonly stopping: AbortSignal;
  readonly deadlines: UpdaterSettings["deadlines"];
  /** Undefined: there is nobody else. */
  readonly leads: (() => boolean) | undefined;
};

/** What happens to one object is a reason to look at all: the others may wait for it. Their order is that of the settings. */
async function keepLooking(all: readonly Kept[], { bell, sights, progress, stopping, deadlines, leads }: Looking): Promise<void> {
  for (;;) {
    const waitMs = Math.max(0, Math.min(...all.map(({ dueMs }) => dueMs)) - monotonicMs());
    const isEvent = await bell.rings(waitMs, stopping);
    // What comes together is one look; the first one is not kept waiting.
    if (isEvent && all.some(({ lately }) => lately !== undefined)) await gather(bell, deadlines.gather, stopping);
    if (stopping.aborted) return;
    progress.unseen = all
      .filter(({ settings }) => sights.now(settings) === undefined)
      .map(({ settings }) => referenceOf(settings.object));
    for (const one of all) {
      // What it saw before is old by the time it leads again.
      if (leads?.() === false) one.lately = undefined;
      const isDue = monotonicMs() >= one.dueMs;
      const found = sights.now(one.settings);
      if (found === undefined && one.lately !== undefined) one.lately = { ...one.lately, watched: undefined };
      const seen = sights.isAwaited() || leads?.() === false ? undefined : found;
      if (seen === undefined) {
        if (isDue) one.dueMs = monotonicMs() + deadlines.look * 1000;
        continue;
      }
      const looked = await look(isDue && !isEvent ? "time" : "event", { seen, lately: one.lately }, one.scope);
      if (looked === undefined) return;
      const name = referenceOf(one.settings.object);
      progress.looks.set(name, (progress.looks.get(name) ?? 0) + 1);
      one.lately = looked.lately;
      one.dueMs = monotonicMs() + 1000 * nextLook(looked, { now: one.scope.now(), lookSeconds: deadlines.look });
    }
  }
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
