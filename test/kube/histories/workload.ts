import { rolloutNumberKey, type ObjectKind } from "../../../src/kube/objects/seen.ts";
import { setters, type Home, type Place, type Pod, type Setter } from "./parts.ts";

type Template = { readonly image: string; readonly restarts: number };
type ReplicaSet = { readonly uid: string; readonly revision: string; readonly image: string; number: number; replicas: number };

/** A StatefulSet or a Deployment and its controller, a step at a time, as theirs take them. */
export class Workload {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly #isParallel: boolean;
  readonly #minReadySeconds: number;
  readonly #cluster: Home;
  uid: string;
  generation = 1;
  replicas = 3;
  partition = 0;
  isPaused = false;
  template: Template = { image: "svc:15.4.5", restarts: 0 };
  annotations: Record<string, string> = {};
  setBy: readonly { readonly manager: string; readonly operation: string }[] = [setters.tool];
  setLast: Setter = "tool";
  sets: ReplicaSet[] = [];
  /** Images to which this updater has brought it by itself. */
  readonly brought = new Set<string>();
  #observed = 0;
  #current: string;
  #status = { replicas: 0, updated: 0, ready: 0, available: 0, terminating: 0, updateRevision: "" };

  constructor(cluster: Home, { kind, name, isParallel, minReadySeconds }: Place) {
    this.#cluster = cluster;
    this.kind = kind;
    this.name = name;
    this.#isParallel = isParallel;
    this.#minReadySeconds = minReadySeconds;
    this.uid = cluster.fresh(name);
    this.#current = this.revision();
  }

  /** The same template has the same name, whenever it comes. */
  revision({ image, restarts }: Template = this.template): string {
    return `${this.name}-${image.replace("svc:", "")}-${restarts}`;
  }

  pods(): readonly Pod[] {
    const owners = this.kind === "StatefulSet" ? [this.uid] : this.sets.map(({ uid }) => uid);
    return this.#cluster.pods.filter(({ owner }) => owners.includes(owner));
  }

  change(change: () => void): void {
    change();
    this.generation += 1;
    this.#cluster.changedAt = this.#cluster.now;
  }

  setImage(image: string, setter: Setter): void {
    this.change(() => {
      this.template = { ...this.template, image };
      this.setBy = [setters[setter]];
      this.setLast = setter;
      // What comes now is theirs.
      if (setter !== "updater") this.brought.clear();
    });
  }

  annotate(key: string, value: string | undefined): void {
    const { [key]: _, ...others } = this.annotations;
    const set = (): void => void (this.annotations = value === undefined ? others : { ...others, [key]: value });
    // Of a Deployment annotations count in the generation.
    if (this.kind === "Deployment") this.change(set);
    else set();
  }

  /** Deleted with all that it owns, and made again as a file has it. */
  remake(): void {
    for (const pod of this.pods()) this.#cluster.pods.splice(this.#cluster.pods.indexOf(pod), 1);
    this.uid = this.#cluster.fresh(this.name);
    this.generation = 1;
    this.template = { image: "svc:15.4.5", restarts: 0 };
    this.annotations = {};
    this.setBy = [setters.tool];
    this.sets = [];
    this.brought.clear();
    this.#observed = 0;
    this.#current = this.revision();
    this.#cluster.changedAt = this.#cluster.now;
  }

  reconcile(): void {
    if (this.kind === "StatefulSet") this.#reconcileSet();
    else this.#reconcileDeployment();
    this.#tell();
  }

  json(): object {
    const { kind, uid, generation, replicas, partition, isPaused, template, annotations } = this;
    const { updated, ready, available, terminating, updateRevision } = this.#status;
    const isSet = kind === "StatefulSet";
    const managedFields = this.setBy.map((setter) => ({ ...setter, time: "2026-11-20T02:00:00Z", fieldsV1: imageField }));
    const newest = Math.max(0, ...this.sets.map(({ number }) => number));
    const numbered = isSet ? annotations : { ...annotations, [rolloutNumberKey]: String(newest) };
    return {
      metadata: { uid, resourceVersion: "1", generation, annotations: numbered, managedFields },
      spec: {
        replicas,
        minReadySeconds: this.#minReadySeconds,
        ...(isSet ? { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } } } : { paused: isPaused }),
        template: { spec: { containers: [{ name: "svc", image: template.image }] } },
      },
      status: {
        observedGeneration: this.#observed,
        replicas: this.#status.replicas,
        updatedReplicas: updated,
        readyReplicas: ready,
        availableReplicas: available,
        ...(isSet ? { currentRevision: this.#current, updateRevision } : { terminatingReplicas: terminating }),
      },
    };
  }

  setsJson(): readonly object[] {
    return this.sets.map(({ uid, number, revision }) => ({
      metadata: {
        uid,
        ownerReferences: [{ uid: this.uid, controller: true }],
        annotations: { [rolloutNumberKey]: String(number) },
        labels: { "pod-template-hash": revision },
      },
    }));
  }

  #tell(): void {
    const before = JSON.stringify([this.#observed, this.#current, this.#status]);
    const own = this.pods();
    const live = this.kind === "StatefulSet" ? own : own.filter(({ endsAt }) => endsAt === undefined);
    const updateRevision = this.revision();
    const ready = live.filter(({ isReady }) => isReady).length;
    const available = live.filter((pod) => this.#isAvailable(pod)).length;
    const updated = live.filter(({ revision }) => revision === updateRevision).length;
    const terminating = own.length - live.length;
    this.#status = { replicas: live.length, updated, ready, available, terminating, updateRevision };
    const isDone = updated === this.replicas && available === this.replicas && live.length === this.replicas;
    if (isDone && this.partition === 0) this.#current = updateRevision;
    this.#observed = this.generation;
    if (JSON.stringify([this.#observed, this.#current, this.#status]) !== before) this.#cluster.changedAt = this.#cluster.now;
  }

  #isAvailable({ isReady, readySince }: Pod): boolean {
    return isReady && this.#cluster.now - readySince >= this.#minReadySeconds;
  }

  /** The replicas in their order, then those too many, then an update from above: each waits for the one before. */
  #reconcileSet(): void {
    const cluster = this.#cluster;
    const own = new Map(this.pods().map((pod) => [ordinalOf(pod), pod]));
    const isPatient = !this.#isParallel;
    const imageOf = (revision: string): string => (revision === this.revision() ? this.template.image : imageIn(revision));
    for (let ordinal = 0; ordinal < this.replicas; ordinal += 1) {
      const pod = own.get(ordinal);
      if (pod === undefined) {
        const revision = ordinal < this.partition ? this.#current : this.revision();
        cluster.make({ name: `${this.name}-${ordinal}`, owner: this.uid, revision, image: imageOf(revision) });
        if (isPatient) return;
      } else if (isPatient && (pod.endsAt !== undefined || !this.#isAvailable(pod))) return;
    }
    const condemned = [...own.values()].filter((pod) => ordinalOf(pod) >= this.replicas).toSorted(fromAbove);
    for (const pod of condemned) {
      cluster.end(pod);
      if (isPatient) return;
    }
    for (const pod of [...own.values()].toSorted(fromAbove)) {
      if (ordinalOf(pod) >= this.replicas || ordinalOf(pod) < this.partition) continue;
      if (pod.revision !== this.revision() && pod.endsAt === undefined) {
        cluster.end(pod);
        return;
      }
      if (!this.#isAvailable(pod)) return;
    }
  }

  #reconcileDeployment(): void {
    const { replicas } = this;
    const revision = this.revision();
    let fresh = this.sets.find((one) => one.revision === revision);
    const highest = Math.max(0, ...this.sets.map(({ number }) => number));
    if (this.isPaused) fresh = this.sets.find(({ number }) => number === highest);
    else if (fresh === undefined) {
      fresh = { uid: this.#cluster.fresh("set"), revision, image: this.template.image, number: highest + 1, replicas: 0 };
      this.sets.push(fresh);
    } else if (fresh.number < highest) fresh.number = highest + 1;
    if (fresh !== undefined) this.#roll(fresh, { surge: Math.ceil(replicas / 4), mostAway: Math.floor(replicas / 4) });
    for (const set of this.sets) this.#fill(set);
  }

  #roll(fresh: ReplicaSet, { surge, mostAway }: { readonly surge: number; readonly mostAway: number }): void {
    const { replicas } = this;
    const old = this.sets.filter((one) => one !== fresh);
    const total = this.sets.reduce((sum, one) => sum + one.replicas, 0);
    const readyOf = (set: ReplicaSet): number => this.#live(set).filter((pod) => this.#isAvailable(pod)).length;
    if (this.isPaused) {
      fresh.replicas = Math.max(0, fresh.replicas + replicas - total);
      return;
    }
    fresh.replicas = Math.min(replicas, fresh.replicas + Math.max(0, replicas + surge - total));
    let spare = total - (replicas - mostAway) - (fresh.replicas - readyOf(fresh));
    for (const set of old) {
      const ill = Math.max(0, Math.min(spare, set.replicas - readyOf(set)));
      set.replicas -= ill;
      spare -= ill;
    }
    let above = this.sets.reduce((sum, one) => sum + readyOf(one), 0) - (replicas - mostAway);
    for (const set of old) {
      const away = Math.max(0, Math.min(above, spare, set.replicas));
      set.replicas -= away;
      above -= away;
      spare -= away;
    }
  }

  #live({ uid }: ReplicaSet): readonly Pod[] {
    return this.#cluster.pods.filter(({ owner, endsAt }) => owner === uid && endsAt === undefined);
  }

  #fill(set: ReplicaSet): void {
    const { uid, revision, image } = set;
    const live = this.#live(set);
    for (let more = live.length; more < set.replicas; more += 1) {
      this.#cluster.make({ name: this.#cluster.fresh(`${this.name}-${revision}`), owner: uid, revision, image });
    }
    const first = live.toSorted((a, b) => Number(a.isReady) - Number(b.isReady));
    for (const pod of first.slice(0, Math.max(0, live.length - set.replicas))) this.#cluster.end(pod);
  }
}

const imageField = { "f:spec": { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"svc"}': { "f:image": {} } } } } } };

function ordinalOf({ name }: Pod): number {
  return Number(/\d+$/.exec(name)?.[0]);
}

function fromAbove(a: Pod, b: Pod): number {
  return ordinalOf(b) - ordinalOf(a);
}

function imageIn(revision: string): string {
  return `svc:${/-(15\.4\.\d+)-\d+$/.exec(revision)?.[1] ?? ""}`;
}

/** All pods are of the template and ready. */
export function isSettled(workload: Workload): boolean {
  const pods = workload.pods();
  return (
    pods.length === workload.replicas &&
    pods.every((pod) => pod.isReady && pod.endsAt === undefined && pod.revision === workload.revision())
  );
}
