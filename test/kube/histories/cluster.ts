import { isGood, type Health, type Node, type Place, type Pod } from "./parts.ts";
import { isSettled, Workload } from "./workload.ts";

export type StoredText = { readonly resourceVersion: string; readonly record: string | undefined };

const graceSeconds = 10;
/** As node-lifecycle has them: until a silent node is not ready, and until its pods are to go. */
const silentSeconds = 40;
const evictedSeconds = 340;

/** Nodes, their kubelets, what watches over nodes, and what is stored: as in Kubernetes, a few seconds at a time. */
export class Cluster {
  now = 1_795_140_600;
  readonly nodes: readonly Node[] = [0, 1].map(() => ({ isDown: false, downSince: 0 }));
  readonly pods: Pod[] = [];
  readonly workloads: Workload[];
  readonly records = new Map<string, StoredText>();
  /** By its tag. */
  readonly images = new Map<string, Health>();
  /** Until then nothing and nobody reaches the API server, controllers do nothing, and no pod is made. */
  awayUntil = 0;
  stalledUntil = 0;
  fullUntil = 0;
  served = "15.4.5";
  serverAwayUntil = 0;
  /** Of its last change. */
  changedAt = 0;
  #count = 0;

  constructor(places: readonly Place[]) {
    this.images.set("15.4.5", "well");
    this.workloads = places.map((place) => new Workload(this, place));
    for (let tick = 0; tick < 100; tick += 1) this.tick();
  }

  /** A name that nobody had before. */
  fresh(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${this.#count}`;
  }

  isAway(): boolean {
    return this.now < this.awayUntil;
  }

  healthOf(image: string): Health {
    return this.images.get(image.replace(/^svc:/, "")) ?? "not pulled";
  }

  tick(): void {
    this.now += 5;
    if (this.isAway()) return;
    // Kubelets come back a moment after the API server.
    if (this.now >= this.awayUntil + 15) for (const pod of this.pods.slice()) this.#keep(pod);
    if (this.now < this.stalledUntil) return;
    for (const workload of this.workloads) workload.reconcile();
  }

  isStill(): boolean {
    return this.now - this.changedAt > 400;
  }

  isWell(): boolean {
    return this.workloads.every((workload) => isSettled(workload));
  }

  make(pod: Pick<Pod, "name" | "owner" | "revision" | "image">): boolean {
    if (this.now < this.fullUntil) return false;
    const made = {
      ...pod,
      uid: this.fresh("pod"),
      madeAt: this.now,
      resourceVersion: 1,
      node: undefined,
      startedAt: undefined,
      ends: 0,
      againAt: 0,
    };
    this.pods.push({ ...made, blipUntil: 0, endsAt: undefined, areContainersReady: false, isReady: false, readySince: 0 });
    this.changedAt = this.now;
    return true;
  }

  end(pod: Pod): void {
    if (pod.endsAt !== undefined) return;
    pod.endsAt = this.now + graceSeconds;
    this.#changed(pod);
  }

  /** A node that comes back has begun all its containers again. */
  nodeUp(node: Node): void {
    node.isDown = false;
    for (const pod of this.pods.filter((one) => one.node === node && one.startedAt !== undefined)) {
      pod.startedAt = this.now;
      pod.ends += 1;
    }
  }

  #changed(pod: Pod): void {
    pod.resourceVersion += 1;
    // What crashes for ever is no news.
    if (this.now - pod.madeAt < 2000 || isGood(this.healthOf(pod.image))) this.changedAt = this.now;
  }

  #keep(pod: Pod): void {
    pod.node ??= this.#free();
    const { node } = pod;
    if (node === undefined) return;
    if (node.isDown) {
      if (this.now - node.downSince >= silentSeconds && pod.isReady) {
        pod.isReady = false;
        this.#changed(pod);
      }
      if (this.now - node.downSince >= evictedSeconds) this.end(pod);
      return;
    }
    if (pod.endsAt !== undefined && this.now >= pod.endsAt) {
      this.pods.splice(this.pods.indexOf(pod), 1);
      this.changedAt = this.now;
      return;
    }
    const before = JSON.stringify(statusOf(pod, this));
    this.#run(pod);
    if (JSON.stringify(statusOf(pod, this)) !== before) this.#changed(pod);
  }

  #free(): Node | undefined {
    const load = (node: Node): number => this.pods.filter((pod) => pod.node === node).length;
    return this.nodes.filter(({ isDown }) => !isDown).toSorted((a, b) => load(a) - load(b))[0];
  }

  #run(pod: Pod): void {
    const health = this.healthOf(pod.image);
    if (health === "not pulled") return;
    if (pod.startedAt === undefined && this.now >= pod.againAt) pod.startedAt = this.now;
    const age = pod.startedAt === undefined ? -1 : this.now - pod.startedAt;
    const readyAfter = { well: 10, slow: 240, unready: Infinity, crashes: Infinity, flaps: 10 }[health];
    const endsAfter = { well: Infinity, slow: Infinity, unready: Infinity, crashes: 5, flaps: 30 }[health];
    pod.areContainersReady = age >= readyAfter && this.now >= pod.blipUntil;
    if (age >= endsAfter) {
      pod.startedAt = undefined;
      pod.ends += 1;
      pod.againAt = this.now + Math.min(300, 10 * 2 ** pod.ends);
      pod.areContainersReady = false;
    }
    const isReady = pod.areContainersReady && pod.endsAt === undefined;
    if (isReady && !pod.isReady) pod.readySince = this.now;
    pod.isReady = isReady;
  }
}

/** As the API server shows it. */
export function podJson(pod: Pod, cluster: Cluster): object {
  const { name, uid, resourceVersion, owner, revision, endsAt } = pod;
  return {
    metadata: {
      name,
      uid,
      resourceVersion: String(resourceVersion),
      ...(endsAt === undefined ? {} : { deletionTimestamp: "2026-11-20T02:10:00Z" }),
      ownerReferences: [{ uid: owner, controller: true }],
      labels: { "controller-revision-hash": revision },
    },
    status: statusOf(pod, cluster),
  };
}

function statusOf(pod: Pod, cluster: Cluster): object {
  const { node, startedAt, ends, areContainersReady, isReady, image } = pod;
  const conditions = { PodScheduled: node !== undefined, ContainersReady: areContainersReady, Ready: isReady };
  const waits =
    cluster.healthOf(image) === "not pulled" ? "ImagePullBackOff" : ends > 0 ? "CrashLoopBackOff" : "ContainerCreating";
  const state = startedAt === undefined ? { waiting: { reason: waits } } : { running: {} };
  return {
    conditions: Object.entries(conditions).map(([type, isSo]) => ({ type, status: isSo ? "True" : "False" })),
    containerStatuses: node === undefined ? [] : [{ name: "svc", ready: areContainersReady, restartCount: ends, state }],
  };
}
