import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { ClusterFault } from "../../rules/fault/cluster-fault.ts";
import { openApiServer, updaterClient, type ApiFailure, type ApiServer } from "../api-server/api-server.ts";
import { ObjectFault } from "../objects/object-fault.ts";
import type { EachObject, UpdaterSettings } from "../objects/settings.ts";
import { Bell } from "./wake-up.ts";
import { Sights, watchRights, type Seen } from "./watched-objects.ts";

/** What a command sees while it runs: what a look of the updater would see. */
export type Watching = {
  readonly api: ApiServer;
  readonly sights: Sights;
  /** Of the first object. */
  readonly first: Seen;
  /** Of each object what was seen first, in their order. */
  readonly seen: ReadonlyMap<UpdaterSettings, Seen>;
  /** What is seen of an object once it is so; undefined: it was not within that time. */
  readonly seenWhen: (of: UpdaterSettings, isSo: (seen: Seen) => boolean, withinMs: number) => Promise<Seen | undefined>;
};

/** Each request has a shorter deadline of its own. */
const firstSightMs = 60_000;

/** What cannot be seen at first is a fault. */
export async function whileWatching<T>(
  each: EachObject,
  stopping: AbortSignal,
  use: (watching: Watching) => Promise<T>,
): Promise<T> {
  const [settings] = each;
  const api = openApiServer(settings.apiServer, updaterClient);
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  const bell = new Bell();
  const sights = new Sights(each, { api, log: () => undefined, stopping: signal, changed: () => bell.ring() });
  const seenWhen: Watching["seenWhen"] = async (of, isSo, withinMs) => {
    const end = monotonicMs() + withinMs;
    for (let leftMs = withinMs; leftMs > 0 && !signal.aborted; leftMs = end - monotonicMs()) {
      const seen = sights.now(of);
      if (seen !== undefined && isSo(seen)) return seen;
      await bell.rings(leftMs, signal);
    }
    return undefined;
  };
  try {
    const end = monotonicMs() + firstSightMs;
    let seen = seenNow(each, sights);
    for (; seen === undefined; seen = seenNow(each, sights)) {
      const trouble = sights.trouble();
      if (trouble !== undefined) throw faultOf(`${trouble.name} cannot be seen`, trouble.failure, settings);
      if (stopping.aborted) throw stopped();
      const leftMs = end - monotonicMs();
      if (leftMs <= 0)
        throw faultOf("nothing can be seen", { kind: "unreachable", message: "it does not answer in time" }, settings);
      await bell.rings(leftMs, signal);
    }
    return await use({ api, sights, ...seen, seenWhen });
  } finally {
    over.abort();
    await api.close();
    await sights.ended;
  }
}

/** Undefined: of one of them something is not known yet. */
function seenNow(each: EachObject, sights: Sights): Pick<Watching, "first" | "seen"> | undefined {
  const seen = new Map<UpdaterSettings, Seen>();
  for (const settings of each) {
    const one = sights.now(settings);
    if (one === undefined) return undefined;
    seen.set(settings, one);
  }
  const [first] = seen.values();
  return first && { first, seen };
}

export function stopped(): ClusterFault {
  return new ClusterFault("stopped", {
    message: "it was stopped before anything was changed",
    hint: "nothing to do; type it again",
  });
}

/** `what`: what could not be done because of it. */
export function faultOf(what: string, failure: ApiFailure, { apiServer }: UpdaterSettings): ObjectFault {
  const { kind, message } = failure;
  if (kind === "unreachable") {
    return new ObjectFault("api-unreachable", {
      message: `${what}: the API server at ${apiServer.url}: ${message}`,
      hint: "see that it is up and that this address leads to it: `kubectl get --raw /readyz`",
    });
  }
  const hint =
    failure.status === unauthorized
      ? `see that ${apiServer.tokenFile} holds a token of the updater's service account that is still valid`
      : watchRights;
  return new ObjectFault("api-refused", { message: `${what}: ${message}`, hint });
}

const unauthorized = 401;
