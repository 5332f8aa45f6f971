import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import type { Log } from "../../machine/logging/log.ts";
import { statuses, versionOf, type Answered, type ApiFailure, type ApiServer } from "../api-server/api-server.ts";
import { claimDueMs, leaderBefore, leadsUntilMs, readLease, type LeaseSight, type OwnClaim } from "../objects/lease.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import { nowSeconds } from "./scope.ts";
import { hintOfRefusal } from "./watches.ts";
import { micro } from "./write.ts";
import { Bell } from "./wake-up.ts";

type Common = Pick<UpdaterSettings, "deadlines"> & { readonly namespace: string };

type Leading = {
  readonly api: ApiServer;
  readonly log: Log;
  readonly stopping: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called when the leader changes. */
  readonly changed: () => void;
};

/**
 * Only the leader among the updaters with one Lease looks and writes. A Lease does not stop an old leader's write, so each write is conditional as
 * well.
 */
export class Leadership {
  /** Resolves when nothing runs any more. */
  readonly ended: Promise<unknown>;
  readonly #lease: { readonly name: string; readonly namespace: string; readonly path: string };
  readonly #leading: Leading;
  readonly #self: string;
  readonly #durationMs: number;
  readonly #bell = new Bell();
  #sight: LeaseSight | undefined;
  #renewedMs: number | undefined;
  #triedMs = Number.NEGATIVE_INFINITY;
  #told: "leads" | "waits" | undefined;
  #trouble: ApiFailure["kind"] | undefined;

  constructor(name: string, { namespace, deadlines }: Common, leading: Leading) {
    const folder = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    this.#lease = { name, namespace, path: `${folder}/${name}` };
    this.#leading = leading;
    this.#self = identityOf(leading.environment);
    this.#durationMs = deadlines.lease * 1000;
    const { api, stopping } = leading;
    const followed = api.follow(
      { path: folder, fieldSelector: `metadata.name=${name}`, read: readLease },
      (seen) => {
        if (seen.kind === "known") this.#see(seen.items.get(name));
        else this.#tellTrouble(seen);
      },
      stopping,
    );
    this.ended = Promise.all([followed, this.#run()]);
  }

  leads(): boolean {
    return monotonicMs() < leadsUntilMs(this.#sight, this.#claim());
  }

  /** Gives the Lease up, so that the next leader need not wait. Call it after the last write. */
  async release(): Promise<void> {
    await this.ended;
    if (this.#sight?.lease?.holder === this.#self) await this.#write("", AbortSignal.timeout(longestWriteMs));
  }

  #claim(): OwnClaim {
    return { self: this.#self, durationMs: this.#durationMs, renewedMs: this.#renewedMs };
  }

  async #run(): Promise<void> {
    const { stopping } = this.#leading;
    while (!stopping.aborted) {
      // Waits after a failed write, or a write that the watch has not shown yet.
      const dueMs = Math.max(claimDueMs(this.#sight, this.#claim()), this.#triedMs + this.#durationMs / 15);
      const nowMs = monotonicMs();
      if (nowMs >= dueMs) await this.#renew();
      this.#tell();
      if (nowMs >= dueMs) continue;
      const untilMs = leadsUntilMs(this.#sight, this.#claim());
      const nextMs = untilMs > nowMs ? Math.min(dueMs, untilMs) : dueMs;
      await this.#bell.rings(Math.min(longestTimerMs, nextMs - nowMs), stopping);
    }
  }

  async #renew(): Promise<void> {
    const sentMs = monotonicMs();
    this.#triedMs = sentMs;
    const before = leaderBefore(this.#sight, this.#self);
    const { stopping, log } = this.#leading;
    // A process that ends does not cut this write short, because it may get the Lease and must then give it up.
    const answered = await this.#write(
      this.#self,
      AbortSignal.timeout(Math.min(longestWriteMs, Math.floor(this.#durationMs / 3))),
    );
    if (answered.kind !== "done") {
      if (!stopping.aborted && !isOvertaken(answered)) this.#tellTrouble(answered);
      return;
    }
    this.#trouble = undefined;
    this.#renewedMs = sentMs;
    this.#triedMs = Number.NEGATIVE_INFINITY;
    if (this.#told === "leads") return;
    this.#told = "leads";
    log("info", "this updater leads", { lease: this.#lease.name, before });
    this.#leading.changed();
  }

  async #write(holder: string, signal: AbortSignal): Promise<Answered> {
    const { name, namespace, path } = this.#lease;
    const seen = this.#sight?.lease;
    const condition = seen === undefined ? {} : { resourceVersion: seen.resourceVersion };
    const renewTime = micro(nowSeconds());
    const seconds = Math.ceil(this.#durationMs / 1000);
    const answered = await this.#leading.api.apply(
      path,
      {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { name, namespace, ...condition },
        spec: { holderIdentity: holder, leaseDurationSeconds: seconds, renewTime },
      },
      signal,
    );
    const resourceVersion = versionOf(answered);
    if (resourceVersion !== undefined) this.#sight = { lease: { resourceVersion, holder, seconds }, sinceMs: monotonicMs() };
    return answered;
  }

  #see(lease: LeaseSight["lease"]): void {
    const isSame = this.#sight !== undefined && this.#sight.lease?.resourceVersion === lease?.resourceVersion;
    if (isSame) return;
    this.#trouble = undefined;
    this.#sight = { lease, sinceMs: monotonicMs() };
    this.#bell.ring();
  }

  /** Says once that this process does not lead. */
  #tell(): void {
    if (this.leads()) return;
    const { log } = this.#leading;
    const { name: lease } = this.#lease;
    const found = this.#sight?.lease?.holder;
    const holder = found === "" || found === this.#self ? undefined : found;
    if (this.#told === "leads") log("warning", "this updater no longer leads", { lease, holder });
    else if (this.#told === undefined && holder !== undefined)
      log("info", "another updater leads, and this one waits", { lease, holder });
    else return;
    this.#told = "waits";
    this.#leading.changed();
  }

  #tellTrouble(failure: ApiFailure): void {
    const { kind, message } = failure;
    // Reports trouble once: the watch and the writes may describe it differently.
    if (this.#trouble === kind) return;
    this.#trouble = kind;
    const hint = hintOfRefusal(failure, "give the service account list, watch, create and patch on it");
    this.#leading.log("warning", "the Lease cannot be had", { lease: this.#lease.name, why: message, hint });
  }
}

/** A pod that is stopping has only some seconds left. */
const longestWriteMs = 5000;
/** Node's longest timer. */
const longestTimerMs = 2 ** 31 - 1;

function isOvertaken(answered: ApiFailure): boolean {
  return answered.kind === "refused" && answered.status === statuses.conflict;
}

/** Who holds the Lease. The pod's name if the chart sets it, so that a restarted container still leads; elsewhere this process alone. */
function identityOf({ POD_NAME: name = hostname(), POD_UID: uid = randomUUID() }: Leading["environment"]): string {
  return `${name}_${uid}`;
}

/** Wraps the API server, and writes only while this process leads. It may lose the lead during a look. */
export function whileLeading(api: ApiServer, leads: () => boolean): ApiServer {
  const guarded = <Args extends unknown[]>(write: (...args: Args) => Promise<Answered>) => {
    return (...args: Args): Promise<Answered> => (leads() ? write(...args) : Promise.resolve(leadsNoMore));
  };
  return { ...api, apply: guarded(api.apply), patch: guarded(api.patch), remove: guarded(api.remove) };
}

const leadsNoMore: ApiFailure = { kind: "unreachable", message: "this updater no longer leads" };
