import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { openApiServer, statuses, updaterClient, type ApiFailure, type ApiServer } from "../api-server/api-server.ts";
import { updaterLabel } from "../objects/labelled-keys.ts";
import { commonOf, type EachObject, type Followed, type UpdaterSettings } from "../objects/settings.ts";
import { Bell } from "./wake-up.ts";
import { Sights, type Seen } from "./watched-objects.ts";
import { watchRights } from "./watches.ts";

/** What a command sees while it runs. It sees what a look of the updater sees. */
export type Watching = {
  readonly api: ApiServer;
  readonly sights: Sights;
  /** The objects, in their order. */
  readonly each: EachObject;
  /** The sight of the first object. */
  readonly first: Seen;
  /** The first sight of each object, in their order. */
  readonly seen: ReadonlyMap<UpdaterSettings, Seen>;
  /** Waits for a sight of the object for which `isSo` holds; undefined if none came in time. */
  readonly seenWhen: (of: UpdaterSettings, isSo: (seen: Seen) => boolean, withinMs: number) => Promise<Seen | undefined>;
};

/** Longer than each request's own deadline. */
const firstSightMs = 60_000;

type How = {
  readonly stopping: AbortSignal;
  /** Leaves out the pods, which are many and which only decisions need. */
  readonly withoutPods?: true;
};

/** Watches while the work runs. Throws a fault if something cannot be seen at first. */
export async function whileWatching<T>(
  followed: Followed,
  { stopping, withoutPods }: How,
  use: (watching: Watching) => Promise<T>,
): Promise<T> {
  const common = commonOf(followed);
  const api = openApiServer(common.apiServer, updaterClient);
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  const bell = new Bell();
  const following = { api, log: () => undefined, stopping: signal, changed: () => bell.ring() };
  const sights = new Sights(followed, following, withoutPods);
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
    let seen = seenNow(followed, sights);
    for (; seen === undefined; seen = seenNow(followed, sights)) {
      const trouble = sights.trouble();
      if (trouble !== undefined) throw faultOf(`${trouble.name} cannot be seen`, trouble.failure, common);
      if (stopping.aborted) throw stopped();
      const leftMs = end - monotonicMs();
      if (leftMs <= 0)
        throw faultOf("nothing can be seen", { kind: "unreachable", message: "it does not answer in time" }, common);
      await bell.rings(leftMs, signal);
    }
    return await use({ api, sights, ...seen, seenWhen });
  } finally {
    over.abort();
    await api.close();
    await sights.ended;
  }
}

/** Undefined if an object is not known yet. */
function seenNow(followed: Followed, sights: Sights): Pick<Watching, "each" | "first" | "seen"> | undefined {
  const all = sights.each();
  if (all === undefined) return undefined;
  const [one, ...others] = all;
  if (one === undefined) throw noObject(followed);
  const seen = new Map<UpdaterSettings, Seen>();
  for (const settings of all) {
    const found = sights.now(settings);
    if (found === undefined) return undefined;
    seen.set(settings, found);
  }
  const first = seen.get(one);
  return first && { each: [one, ...others], first, seen };
}

/** The fault for a label that no object has. */
function noObject(followed: Followed): Fault {
  const { namespace } = commonOf(followed);
  const label = `${updaterLabel}=${followed.kind === "labelled" ? followed.labelled.updater : ""}`;
  return new Fault("object-absent", {
    message: `no StatefulSet and no Deployment of the namespace ${namespace} has the label ${label}`,
    hint: `give it to those that are to be followed: \`kubectl -n ${namespace} label statefulset/NAME ${label}\``,
  });
}

/** The objects that a command may mean. */
export function objectsOf(followed: Followed, stopping: AbortSignal): Promise<EachObject> {
  if (followed.kind === "settings") return Promise.resolve(followed.settings);
  return whileWatching(followed, { stopping, withoutPods: true }, ({ each }) => Promise.resolve(each));
}

export function stopped(): Fault {
  return new Fault("stopped", {
    message: "it was stopped before anything was changed",
    hint: "nothing to do; type it again",
  });
}

/** `what` names what the failure prevented. */
export function faultOf(what: string, failure: ApiFailure, { apiServer }: Pick<UpdaterSettings, "apiServer">): Fault {
  const { kind, message } = failure;
  if (kind === "unreachable") {
    return new Fault("api-unreachable", {
      message: `${what}: the API server at ${apiServer.url}: ${message}`,
      hint: "see that it is up and that this address leads to it: `kubectl get --raw /readyz`",
    });
  }
  const hint =
    failure.status === statuses.unauthorized
      ? `see that ${apiServer.tokenFile} holds a token of the updater's service account that is still valid`
      : watchRights;
  return new Fault("api-refused", { message: `${what}: ${message}`, hint });
}
