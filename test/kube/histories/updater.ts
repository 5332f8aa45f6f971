import type { Answered, ApiFailure } from "../../../src/kube/api-server/api-server.ts";
import { currentVersion } from "../../../src/kube/objects/decide-object.ts";
import type { Operation } from "../../../src/kube/objects/image-patch.ts";
import type { ObjectName, ObjectPolicy } from "../../../src/kube/objects/object-facts.ts";
import { recordName, referenceOf } from "../../../src/kube/objects/object-lift.ts";
import type { Member } from "../../../src/kube/objects/member.ts";
import { ownPods, readPod, readReplicaSet, type SeenPod, type SeenReplicaSet } from "../../../src/kube/objects/pods.ts";
import { memoryIn, readKept } from "../../../src/kube/objects/record.ts";
import { readObject } from "../../../src/kube/objects/seen.ts";
import { look } from "../../../src/kube/reconcile/look.ts";
import type { LookMemory, LookScope } from "../../../src/kube/reconcile/look-scope.ts";
import type { Seen } from "../../../src/kube/reconcile/watched-objects.ts";
import type { Reading } from "../../../src/rules/shape/read.ts";
import { serves } from "../../updater/plan/given.ts";
import { version } from "../../rules/version/given.ts";
import { defaultPolicy } from "../objects/given.ts";
import { podJson, type Cluster, type StoredText } from "./cluster.ts";
import { isGood } from "./parts.ts";
import type { Workload } from "./workload.ts";

const lookSeconds = 1800;
const moving = { healthSeconds: 600, settleSeconds: 30, freeSeconds: 60 };

/** What becomes of the next write: refused, done and not answered, or the process is killed before or after it. */
export const faults = ["refused", "lost", "killed before", "killed after"] as const;
export type Fault = (typeof faults)[number];

/** What is broken on purpose, to show that a history finds it. */
export const plants = ["counts time that nobody saw", "knows no other objects", "tests nothing"] as const;
export type Planted = (typeof plants)[number];

class Killed extends Error {}

type One = {
  readonly workload: Workload;
  readonly object: ObjectName;
  seen: Seen;
  pods: readonly SeenPod[];
  sets: readonly SeenReplicaSet[];
  /** As this process wrote it, until the watch has it. */
  written: StoredText | undefined;
  isUnsure: boolean;
  memory: LookMemory | undefined;
  due: number;
  told: string;
};

/** One process of the updater: what its watches show, and its loop. */
export class Updater {
  readonly wrongs: string[] = [];
  readonly faults: Fault[] = [];
  writes = 0;
  /** Until then only this process does not reach the API server, or a watch of it is behind. */
  cutUntil = 0;
  podsLagUntil = 0;
  objectsLagUntil = 0;
  clockAhead = 0;
  readonly #cluster: Cluster;
  readonly #planted: Planted | undefined;
  readonly #all: One[];

  constructor(cluster: Cluster, planted?: Planted) {
    this.#cluster = cluster;
    this.#planted = planted;
    this.#all = cluster.workloads.map((workload) => {
      const object = { namespace: "agents", kind: workload.kind, name: workload.name, container: "svc" };
      const seen = { object: undefined, own: undefined, record: undefined, schedule: { kind: "missing", why: "" } } as const;
      return {
        workload,
        object,
        seen,
        pods: [],
        sets: [],
        written: undefined,
        isUnsure: false,
        memory: undefined,
        due: 0,
        told: "",
      };
    });
  }

  /** When it looks again, if nothing happens. */
  due(): number {
    return Math.min(...this.#all.map(({ due }) => due)) - this.clockAhead;
  }

  /** Its process hears of it by a steady clock. */
  leap(): void {
    this.clockAhead = this.clockAhead === 0 ? 300 : 0;
    this.#forget();
  }

  /** As if its next look were due. */
  wake(): void {
    for (const one of this.#all) one.due = 0;
  }

  restart(): void {
    for (const one of this.#all) Object.assign(one, { memory: undefined, written: undefined, due: 0 });
    this.podsLagUntil = 0;
    this.objectsLagUntil = 0;
  }

  async tick(): Promise<void> {
    const { now } = this.#cluster;
    const isCut = this.#cluster.isAway() || now < this.cutUntil;
    if (isCut) {
      if (this.#planted === "counts time that nobody saw") return;
      this.#forget();
      return;
    }
    const haveChanged = this.#all.map((one) => this.#see(one)).includes(true);
    try {
      for (const one of this.#all) await this.#lookAt(one, haveChanged);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.restart();
    }
  }

  /** What was seen without a gap. */
  #forget(): void {
    for (const one of this.#all) if (one.memory !== undefined) one.memory = { ...one.memory, watched: undefined };
  }

  async #lookAt(one: One, haveChanged: boolean): Promise<void> {
    const isDue = this.#now() >= one.due;
    if (!isDue && !haveChanged) return;
    const seen = { ...one.seen, record: one.written ?? one.seen.record };
    const looked = await look(isDue && !haveChanged ? "time" : "event", { seen, memory: one.memory }, this.#scope(one));
    if (looked === undefined) return;
    one.memory = looked.memory;
    const until = looked.isOvertaken ? this.#now() + 10 : (looked.until ?? Infinity);
    one.due = Math.max(this.#now() + 1, Math.min(until, this.#now() + lookSeconds));
  }

  #now(): number {
    return this.#cluster.now + this.clockAhead;
  }

  /** Whether anything that it sees has changed. */
  #see(one: One): boolean {
    const { workload } = one;
    const { now, records } = this.#cluster;
    const isFirst = one.memory === undefined;
    const object = isFirst || now >= this.objectsLagUntil ? read(readObject, workload.json()) : one.seen.object;
    const record = records.get(recordName(one.object));
    if (isFirst || now >= this.podsLagUntil) {
      one.pods = this.#cluster.pods.map((pod): SeenPod => read(readPod, podJson(pod, this.#cluster)));
      one.sets = workload.setsJson().map((set): SeenReplicaSet => read(readReplicaSet, set));
    }
    const own = object && ownPods(object, one.pods, workload.kind === "Deployment" ? one.sets : undefined);
    if (record?.resourceVersion !== one.written?.resourceVersion) one.written = undefined;
    if (record?.resourceVersion !== one.seen.record?.resourceVersion) one.isUnsure = false;
    one.seen = { ...one.seen, object, own, record };
    const told = JSON.stringify([object, own, record]);
    const hasChanged = told !== one.told;
    one.told = told;
    return hasChanged;
  }

  #members(): readonly Member[] {
    if (this.#planted === "knows no other objects") return [];
    return this.#all.map(({ object, seen, written, isUnsure }) => {
      const reading = readKept((written ?? seen.record)?.record);
      const { standing } = memoryIn(reading, seen.object?.uid);
      const { decision } = reading.kind === "kept" ? reading.record : { decision: undefined };
      const current = currentVersion(seen.object, policyOf(object));
      const known = { object: seen.object, current, standing, decision, next: undefined };
      return { reference: referenceOf(object), channel: "", known: isUnsure ? undefined : known };
    });
  }

  #scope(one: One): LookScope {
    const { object, workload } = one;
    const cluster = this.#cluster;
    return {
      api: {
        follow: () => Promise.resolve(),
        get: () => Promise.resolve(refused(403)),
        apply: (path, applied) =>
          Promise.resolve(path.includes("/configmaps/") ? this.#write(() => this.#apply(one, applied)) : done({})),
        patch: (_, operations) => Promise.resolve(this.#write(() => this.#patch(one, operations as readonly Operation[]))),
        remove: (path, seen) => Promise.resolve(this.#write(() => this.#remove(workload, path, seen))),
        clock: () => cluster.now,
        close: () => Promise.resolve(),
      },
      object,
      log: () => undefined,
      stopping: new AbortController().signal,
      sights: {
        wrote: ({ record, resourceVersion }) =>
          void Object.assign(one, { isUnsure: false, written: { record, resourceVersion } }),
        overtaken: () => void (one.written = undefined),
        unsure: () => void (one.isUnsure = true),
        isUnsure: () => one.isUnsure,
      },
      channel: (_, heard) => Promise.resolve({ answer: this.#answer(), heard }),
      policyAt: () => policyOf(object),
      now: () => this.#now(),
      all: () => this.#members(),
      moving: { object, ...moving },
      remindSeconds: 2700,
      told: new Map(),
    };
  }

  #answer(): ReturnType<typeof serves> {
    if (this.#cluster.now >= this.#cluster.serverAwayUntil) return serves(version(this.#cluster.served));
    return { kind: "fault", fault: { code: "channel-unreachable", message: "it is away", hint: "wait", causes: [] } };
  }

  #write(write: () => Answered): Answered {
    const fault = this.faults.shift();
    if (fault === "killed before") throw new Killed();
    if (fault === "refused") return refused(500);
    this.writes += 1;
    const answered = write();
    if (fault === "killed after") throw new Killed();
    return fault === "lost" ? { kind: "unreachable", message: "it does not answer in time" } : answered;
  }

  #apply(one: One, applied: object): Answered {
    const { metadata, data } = applied as { metadata: { resourceVersion?: string }; data: { record: string } };
    const { records, now } = this.#cluster;
    const name = recordName(one.object);
    if (metadata.resourceVersion !== records.get(name)?.resourceVersion) return refused(409);
    const resourceVersion = String(Number(metadata.resourceVersion ?? 0) + 1);
    records.set(name, { resourceVersion, record: data.record });
    this.#cluster.changedAt = now;
    const kept = readKept(data.record);
    if (kept.kind !== "kept") this.wrongs.push(`it wrote a record that it cannot read: ${JSON.stringify(kept)}`);
    else {
      for (const { served, isAsked } of kept.record.rejected) {
        if (isAsked !== true && isGood(this.#cluster.healthOf(`svc:${served}`))) {
          this.wrongs.push(`${one.object.name} rejects ${served}, which is good`);
        }
      }
    }
    return done({ metadata: { resourceVersion } });
  }

  /** All of its operations, or none. */
  #patch({ workload, object }: One, operations: readonly Operation[]): Answered {
    const json = workload.json();
    const image = workload.template.image;
    const isAsSeen = operations.every(
      (one) => one.op !== "test" || JSON.stringify(at(json, one.path) ?? null) === JSON.stringify(one.value),
    );
    if (!isAsSeen && this.#planted !== "tests nothing") return refused(422);
    for (const one of operations) {
      if (one.op === "remove") workload.setBy = workload.setBy.filter((_, index) => !one.path.endsWith(`/${index}`));
      if (one.op !== "replace") continue;
      const kept = readKept(this.#cluster.records.get(recordName(object))?.record);
      const move = kept.kind === "kept" ? kept.record.move : undefined;
      if (move?.imageBefore !== image && move?.image !== image)
        this.wrongs.push(`it changes ${image}, which somebody else has set`);
      if (move?.step === "begun" && workload.replicas > 0) {
        // What a person asks for passes the queue, and what was ill before is not made ill.
        if (move.why === "asked" || !move.wasWell) workload.brought.delete(String(one.value));
        else workload.brought.add(String(one.value));
      }
      workload.setImage(String(one.value), "updater");
    }
    return done(workload.json());
  }

  #remove(workload: Workload, path: string, seen: { readonly uid: string; readonly resourceVersion: string }): Answered {
    const pod = workload.pods().find(({ name }) => path.endsWith(`/${name}`));
    if (pod === undefined) return refused(404);
    if (pod.uid !== seen.uid || String(pod.resourceVersion) !== seen.resourceVersion) return refused(409);
    if (pod.revision === workload.revision()) this.wrongs.push(`it deletes ${pod.name}, which is of the template`);
    if (pod.isReady) this.wrongs.push(`it deletes ${pod.name}, which is ready`);
    this.#cluster.end(pod);
    return done({});
  }
}

function policyOf(object: ObjectName): ObjectPolicy {
  return { ...defaultPolicy, object, unscheduled: "anytime" };
}

function read<T>(reader: (found: unknown) => Reading<T>, found: unknown): T {
  const reading = reader(found);
  if (reading.kind === "unreadable") throw new Error(reading.why);
  return reading.value;
}

function done(answer: object): Answered {
  return { kind: "done", answer };
}

function refused(status: number): ApiFailure {
  return { kind: "refused", status, message: "no", causes: [] };
}

function at(found: unknown, path: string): unknown {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], found);
}
