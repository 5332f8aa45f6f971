import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { ClusterFault } from "../../rules/fault/cluster-fault.ts";
import { openApiServer, updaterClient, type ApiFailure, type ApiServer } from "../api-server/api-server.ts";
import { ObjectFault } from "../objects/object-fault.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import { Bell } from "./wake-up.ts";
import { Sights, watchRights, type Seen } from "./watched-objects.ts";

/** What a command sees while it runs: what a look of the updater would see. */
export type Watching = {
  readonly api: ApiServer;
  readonly first: Seen;
  /** What is seen once it is so; undefined: it was not within that time. */
  readonly seenWhen: (isSo: (seen: Seen) => boolean, withinMs: number) => Promise<Seen | undefined>;
};

/** Each request has a shorter deadline of its own. */
const firstSightMs = 60_000;

/** What cannot be seen at first is a fault. */
export async function whileWatching<T>(
  settings: UpdaterSettings,
  stopping: AbortSignal,
  use: (watching: Watching) => Promise<T>,
): Promise<T> {
  const api = openApiServer(settings.apiServer, updaterClient);
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  const bell = new Bell();
  const sights = new Sights(settings, { api, log: () => undefined, stopping: signal, changed: () => bell.ring() });
  const seenWhen: Watching["seenWhen"] = async (isSo, withinMs) => {
    const end = monotonicMs() + withinMs;
    for (let leftMs = withinMs; leftMs > 0 && !signal.aborted; leftMs = end - monotonicMs()) {
      const seen = sights.now();
      if (seen !== undefined && isSo(seen)) return seen;
      await bell.rings(leftMs, signal);
    }
    return undefined;
  };
  try {
    const end = monotonicMs() + firstSightMs;
    let first = sights.now();
    for (; first === undefined; first = sights.now()) {
      const trouble = sights.trouble();
      if (trouble !== undefined) throw faultOf(`${trouble.name} cannot be seen`, trouble.failure, settings);
      if (stopping.aborted) throw stopped();
      const leftMs = end - monotonicMs();
      if (leftMs <= 0)
        throw faultOf("nothing can be seen", { kind: "unreachable", message: "it does not answer in time" }, settings);
      await bell.rings(leftMs, signal);
    }
    return await use({ api, first, seenWhen });
  } finally {
    over.abort();
    await api.close();
    await sights.ended;
  }
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
