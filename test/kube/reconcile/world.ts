import type { Answered, ApiFailure } from "../../../src/kube/api-server/api-server.ts";
import { ownPods, readPod, type SeenPod } from "../../../src/kube/objects/pods.ts";
import type { Member } from "../../../src/kube/objects/member.ts";
import type { ObjectPolicy } from "../../../src/kube/objects/object-facts.ts";
import { readObject } from "../../../src/kube/objects/seen.ts";
import type { Seen } from "../../../src/kube/reconcile/watched-objects.ts";
import type { LookScope } from "../../../src/kube/reconcile/look-scope.ts";
import { serves } from "../../updater/plan/given.ts";
import { version } from "../../rules/version/given.ts";
import { defaultPolicy, now } from "../objects/given.ts";

type Pod = { readonly ordinal: number; readonly image: string; readonly uid: string; isReady: boolean };

const failed = (status: number, message: string): ApiFailure => ({ kind: "refused", status, message, causes: [] });

/**
 * A StatefulSet of three pods, its controller and an updater that looks at it, in a minute at a time. Pods of an image with "bad" in
 * its name never get ready, those with "flaps" are ready every other minute, and never available. As in Kubernetes a pod that is not ready holds up everything, whatever the template says meanwhile.
 */
export class World {
  now: number = now;
  image = "svc:15.4.5";
  generation = 1;
  served = "15.4.6";
  policy: Partial<ObjectPolicy> = { unscheduled: "anytime" };
  annotations: Record<string, string> | undefined;
  pods: Pod[] = [0, 1, 2].map((ordinal) => ({ ordinal, image: "svc:15.4.5", uid: `first-${ordinal}`, isReady: true }));
  record: { readonly resourceVersion: string; readonly record: string } | undefined;
  readonly deleted: string[] = [];
  readonly events: string[] = [];
  mayTell = true;
  mayDelete = true;
  /** Of the ConfigMap. */
  status = "";
  readonly log: string[] = [];
  patches = 0;
  minReadySeconds = 0;
  /** Its containers end every other minute. */
  crashes = false;
  all: readonly Member[] = [];
  /** An admission webhook. */
  rewrites: (image: string) => string = (image) => image;
  /** What becomes of the next changes: written, refused, or written and not answered. */
  readonly faults: ("written" | "refused" | "lost")[] = [];
  #observed = { generation: 1, image: "svc:15.4.5" };
  #current = "svc:15.4.5";
  #count = 0;

  scope(): LookScope {
    const settings = { healthSeconds: 300, settleSeconds: 30, freeSeconds: 60 };
    return {
      api: {
        follow: () => Promise.resolve(),
        get: () => Promise.resolve(failed(403, "forbidden")),
        apply: (path, applied) => this.#change(() => this.#apply(path, applied)),
        patch: (_, operations) => this.#change(() => this.#patch(operations as readonly Operation[])),
        remove: (path) => this.#change(() => this.#remove(path)),
        clock: () => this.now,
        close: () => Promise.resolve(),
      },
      object: defaultPolicy.object,
      log: (level, message) => void this.log.push(`${level} ${message}`),
      stopping: new AbortController().signal,
      sights: { wrote: () => undefined, overtaken: () => undefined, unsure: () => undefined, isUnsure: () => false },
      channel: (_, heard) => Promise.resolve({ answer: serves(version(this.served)), heard }),
      policyAt: () => ({ ...defaultPolicy, ...this.policy }),
      now: () => this.now,
      all: () => this.all,
      moving: { object: defaultPolicy.object, ...settings },
      remindSeconds: 2700,
      told: new Map(),
    };
  }

  seen(): Seen {
    const reading = readObject(this.#object());
    if (reading.kind === "unreadable") throw new Error(reading.why);
    const pods = this.pods.map((pod) => this.#pod(pod));
    const own = ownPods(reading.value, pods, undefined);
    return { object: reading.value, own, record: this.record, schedule: { kind: "missing", why: "there is none" } };
  }

  /** What its controller does in one go. */
  tick(): void {
    for (const pod of this.pods)
      pod.isReady = !pod.image.includes("bad") && !((this.crashes || pod.image.includes("flaps")) && pod.isReady);
    this.#observed = { generation: this.generation, image: this.image };
    for (const ordinal of [0, 1, 2]) {
      const pod = this.pods.find((one) => one.ordinal === ordinal);
      if (pod === undefined) {
        this.#count += 1;
        this.pods.push({ ordinal, image: this.image, uid: `made-${this.#count}`, isReady: false });
        return;
      }
      if (!isAvailable(pod)) return;
    }
    const old = this.pods.filter((one) => one.image !== this.image).toSorted((a, b) => b.ordinal - a.ordinal)[0];
    if (old === undefined) this.#current = this.image;
    else this.pods.splice(this.pods.indexOf(old), 1);
  }

  set(image: string): void {
    this.image = image;
    this.generation += 1;
  }

  #object(): object {
    const updated = this.pods.filter(({ image }) => image === this.#observed.image).length;
    const ready = this.pods.filter(({ isReady }) => isReady).length;
    return {
      metadata: { uid: "set", resourceVersion: "1", generation: this.generation, annotations: this.annotations },
      spec: {
        replicas: 3,
        minReadySeconds: this.minReadySeconds,
        template: { spec: { containers: [{ name: "svc", image: this.image }] } },
      },
      status: {
        observedGeneration: this.#observed.generation,
        replicas: this.pods.length,
        updatedReplicas: updated,
        readyReplicas: ready,
        availableReplicas: this.pods.filter(isAvailable).length,
        currentRevision: this.#current,
        updateRevision: this.#observed.image,
      },
    };
  }

  #pod({ ordinal, image, uid, isReady }: Pod): SeenPod {
    const status = isReady ? "True" : "False";
    const reading = readPod({
      metadata: {
        name: `agent-${ordinal}`,
        uid,
        resourceVersion: "1",
        ownerReferences: [{ uid: "set", controller: true }],
        labels: { "controller-revision-hash": image },
      },
      status: {
        conditions: ["PodScheduled", "ContainersReady", "Ready"].map((type) => ({ type, status })),
        containerStatuses: [{ name: "svc", ready: isReady, restartCount: this.crashes ? 5 : 0, state: { running: {} } }],
      },
    });
    if (reading.kind === "unreadable") throw new Error(reading.why);
    return reading.value;
  }

  #change(change: () => Answered): Promise<Answered> {
    const fault = this.faults.shift();
    if (fault === "refused") return Promise.resolve(failed(500, "a webhook failed"));
    const answer = change();
    return Promise.resolve(fault === "lost" ? { kind: "unreachable", message: "it does not answer in time" } : answer);
  }

  #apply(path: string, applied: object): Answered {
    if (!path.includes("/configmaps/")) {
      if (!this.mayTell) return failed(403, "forbidden");
      this.events.push((applied as { readonly reason: string }).reason);
      return { kind: "done", answer: {} };
    }
    const { metadata, data } = applied as ConfigMap;
    if (metadata.resourceVersion !== this.record?.resourceVersion) return failed(409, "the object has been modified");
    const resourceVersion = String(Number(this.record?.resourceVersion ?? 0) + 1);
    this.record = { resourceVersion, record: data.record };
    this.status = data.status;
    return { kind: "done", answer: { metadata: { resourceVersion } } };
  }

  #patch(operations: readonly Operation[]): Answered {
    const tests = new Map(operations.filter(({ op }) => op === "test").map(({ path, value }) => [path, value]));
    const image = tests.get("/spec/template/spec/containers/0/image");
    if (tests.get("/metadata/generation") !== this.generation || image !== this.image) return failed(422, "invalid");
    this.patches += 1;
    this.set(this.rewrites(String(operations.at(-1)?.value)));
    return { kind: "done", answer: this.#object() };
  }

  #remove(path: string): Answered {
    if (!this.mayDelete) return failed(403, "forbidden");
    const ordinal = Number(path.slice(-1));
    const pod = this.pods.find((one) => one.ordinal === ordinal);
    if (pod === undefined) return failed(404, "not found");
    this.deleted.push(pod.image);
    this.pods.splice(this.pods.indexOf(pod), 1);
    return { kind: "done", answer: {} };
  }
}

function isAvailable({ isReady, image }: Pod): boolean {
  return isReady && !image.includes("flaps");
}

type Operation = { readonly op: string; readonly path: string; readonly value: unknown };
type ConfigMap = {
  readonly metadata: { readonly resourceVersion?: string };
  readonly data: { readonly record: string; readonly status: string };
};
