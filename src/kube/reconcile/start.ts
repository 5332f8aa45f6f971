import type { Log } from "../../machine/logging/log.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { proxyVariablesIn, unusableNoProxyEntries } from "../../rules/route/route.ts";
import { openApiServer, updaterClient } from "../api-server/api-server.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import { Bell } from "./wake-up.ts";
import { look, type Cause, type Lately, type LookScope } from "./look.ts";
import { servePages, type Progress } from "./serve-pages.ts";
import { weighScope } from "./scope.ts";
import { Sights } from "./watched-objects.ts";

export type Running = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly stopping: AbortSignal;
};

/** Looks whenever something changes, a decision ends or time has passed, until it is stopped. */
export async function run(settings: UpdaterSettings, { environment, log, stopping }: Running): Promise<void> {
  const { object, act, apiServer, deadlines, listen } = settings;
  const proxies = proxyVariablesIn(environment);
  for (const entry of unusableNoProxyEntries(proxies)) log("warning", "an entry of NO_PROXY means nothing", { entry });
  const api = openApiServer(apiServer, updaterClient);
  const progress: Progress = { looks: 0, isReady: false };
  const closePages = listen === undefined ? () => undefined : await servePages(listen, progress);
  const bell = new Bell();
  const sights = new Sights(settings, { api, log, stopping, changed: () => bell.ring() });
  const scope: LookScope = {
    ...weighScope(settings, { api, proxies, log, stopping }),
    api,
    object,
    log,
    sights,
    remindSeconds: deadlines.remind,
    told: new Map(),
  };
  const does = act === "moves" ? "follows the channel" : "mode: report: looks and says why, and changes no image";
  log("info", does, { namespace: object.namespace, object: object.name });
  try {
    await keepLooking(bell, scope, { settings, sights, progress });
  } finally {
    closePages();
    await api.close();
    await sights.ended;
  }
}

/** The record is somebody else's at this moment; the watch says within seconds what it is now. */
const overtakenSeconds = 10;

type Looking = { readonly settings: UpdaterSettings; readonly sights: Sights; readonly progress: Progress };

async function keepLooking(bell: Bell, scope: LookScope, { settings: { deadlines }, sights, progress }: Looking): Promise<void> {
  const { stopping } = scope;
  let lately: Lately | undefined;
  let waitSeconds = deadlines.look;
  for (;;) {
    const cause: Cause = (await bell.rings(waitSeconds * 1000, stopping)) ? "event" : "time";
    // What comes together is one look; the first one is not kept waiting.
    if (cause === "event" && lately !== undefined) await gather(bell, deadlines.gather, stopping);
    if (stopping.aborted) return;
    const seen = sights.now();
    progress.isReady = seen !== undefined;
    waitSeconds = deadlines.look;
    if (seen === undefined) continue;
    const looked = await look(cause, { seen, lately }, scope);
    if (looked === undefined) return;
    progress.looks += 1;
    lately = looked.lately;
    waitSeconds = nextLook(looked, { now: scope.now(), lookSeconds: deadlines.look });
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
