import { quote } from "../../rules/text/quote.ts";
import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { count, listOf, maybe, object as anything, orElse, record, text, truth, word, type Of } from "../../rules/shape/shape.ts";

export type ObjectKind = "StatefulSet" | "Deployment";

export type SeenContainer = { readonly name: string; readonly image: string };

export type Ask = "runNow" | "retry" | "rollback";

export const annotationOf = {
  runNow: "svc.dev/run-now",
  retry: "svc.dev/retry",
  rollback: "svc.dev/rollback",
} as const satisfies Readonly<Record<Ask, string>>;

/** The annotations that override the settings. */
export const containerAnnotation = "svc.dev/container";
export const channelAnnotation = "svc.dev/channel";

/** A manager that set a container's image, from managedFields. */
export type ImageSetter = {
  readonly container: string;
  readonly manager: string;
  /** Apply or Update; empty if the API server does not say. */
  readonly operation: string;
  /** In RFC 3339; empty if the API server does not say. */
  readonly time: string;
};

/** The part of a StatefulSet or Deployment that decisions need. */
export type SeenObject = {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly containers: readonly SeenContainer[];
  readonly replicas: number;
  readonly strategy: {
    /** RollingUpdate, OnDelete or Recreate. */
    readonly type: string;
    readonly partition: number;
    readonly isPaused: boolean;
  };
  /** The ordinal of a StatefulSet's first pod. */
  readonly firstOrdinal: number;
  /** A pod that has been ready for this long is available. */
  readonly minReadySeconds: number;
  /** The longest that the object's own fields allow a pod to become available, or a rollout to make progress. */
  readonly patienceSeconds: number;
  readonly status: {
    readonly observedGeneration: number;
    readonly replicas: number;
    readonly updated: number;
    readonly ready: number;
    readonly available: number;
    /** Only Deployments have this number, since Kubernetes 1.35. */
    readonly terminating: number;
    /** Only StatefulSets have this; it may be empty. */
    readonly currentRevision: string;
    readonly updateRevision: string;
    /** Why the controller makes no pods for a Deployment; may be empty. */
    readonly notMade: string;
  };
  /** A Deployment's rollout number; its newest ReplicaSet has the same. */
  readonly rolloutNumber: string;
  readonly hasAnnotations: boolean;
  /** The values of the annotations `svc.dev/skipreconcile` and `debug.svc.dev/trigger-event`. */
  readonly skip: string | undefined;
  readonly trigger: string | undefined;
  /** People's requests, by `annotationOf`. */
  readonly asks: Readonly<Record<Ask, string | undefined>>;
  /** Annotations that replace the settings, for an object that was found by its label. */
  readonly instead: { readonly container: string | undefined; readonly channel: string | undefined };
  /** The mark that a GitOps tool left. */
  readonly gitOps: string | undefined;
  readonly imageSetters: readonly ImageSetter[];
  /** The index of the entry in managedFields by which this updater owns an image. */
  readonly ownEntry: number | undefined;
};

export const ownManager = "svc-kube-updater";

/** The API server's limit for all annotations of an object. */
const annotation = text(256 * 1024);

const label = orElse(annotation, "");
const empty = orElse(word, "");
const zero = orElse(count, 0);

const argo = "argocd.argoproj.io/tracking-id";
const flux = "kustomize.toolkit.fluxcd.io/name";
const fluxHelm = "helm.toolkit.fluxcd.io/name";

/** The key of a Deployment's rollout number, on itself and on its ReplicaSets. */
export const rolloutNumberKey = "deployment.kubernetes.io/revision";

const metadata = record({
  uid: text(128),
  resourceVersion: text(128),
  generation: zero,
  annotations: maybe(
    record({
      [annotationOf.runNow]: maybe(annotation),
      [annotationOf.retry]: maybe(annotation),
      [annotationOf.rollback]: maybe(annotation),
      [containerAnnotation]: maybe(annotation),
      [channelAnnotation]: maybe(annotation),
      "svc.dev/skipreconcile": maybe(annotation),
      "debug.svc.dev/trigger-event": maybe(annotation),
      [argo]: label,
      [rolloutNumberKey]: label,
    }),
  ),
  labels: maybe(record({ [flux]: label, [fluxHelm]: label })),
  managedFields: orElse(listOf(record({ manager: empty, operation: empty, time: empty, fieldsV1: maybe(anything) }), 1000), []),
});

/** How long a container may take to start, with the API server's defaults for missing keys. */
const startupProbe = record({ initialDelaySeconds: zero, periodSeconds: orElse(count, 10), failureThreshold: orElse(count, 3) });

const container = record({ name: text(63), image: orElse(text(4096), ""), startupProbe: maybe(startupProbe) });

/** The API server leaves out zeros, and the keys that one of the two kinds lacks. */
const workload = record({
  metadata,
  spec: record({
    replicas: orElse(count, 1),
    paused: orElse(truth, false),
    minReadySeconds: zero,
    progressDeadlineSeconds: zero,
    ordinals: maybe(record({ start: zero })),
    updateStrategy: maybe(record({ type: empty, rollingUpdate: maybe(record({ partition: zero })) })),
    strategy: maybe(record({ type: empty })),
    template: record({ spec: record({ containers: listOf(container, 500) }) }),
  }),
  status: maybe(
    record({
      observedGeneration: zero,
      replicas: zero,
      updatedReplicas: zero,
      readyReplicas: zero,
      availableReplicas: zero,
      terminatingReplicas: zero,
      currentRevision: empty,
      updateRevision: empty,
      conditions: orElse(listOf(record({ type: word, status: word, message: orElse(text(32_768), "") }), 1000), []),
    }),
  ),
});

export function readObject(found: unknown): Reading<SeenObject> {
  const reading = decodeValue(found, workload, "ignored");
  if (reading.kind === "unreadable") return reading;
  const { metadata: named, spec, status } = reading.value;
  const { annotations, labels } = named;
  const managers = named.managedFields.map(({ manager }) => manager);
  const ownEntry = named.managedFields.findIndex((entry) => entry.manager === ownManager && settersIn(entry).length > 0);
  return {
    kind: "read",
    value: {
      uid: named.uid,
      resourceVersion: named.resourceVersion,
      generation: named.generation,
      containers: spec.template.spec.containers.map(({ name, image }) => ({ name, image })),
      replicas: spec.replicas,
      strategy: {
        type: (spec.updateStrategy ?? spec.strategy)?.type || "RollingUpdate",
        partition: spec.updateStrategy?.rollingUpdate?.partition ?? 0,
        isPaused: spec.paused,
      },
      firstOrdinal: spec.ordinals?.start ?? 0,
      minReadySeconds: spec.minReadySeconds,
      patienceSeconds: Math.max(spec.progressDeadlineSeconds, spec.minReadySeconds + startSeconds(spec.template.spec.containers)),
      status: {
        observedGeneration: status?.observedGeneration ?? 0,
        replicas: status?.replicas ?? 0,
        updated: status?.updatedReplicas ?? 0,
        ready: status?.readyReplicas ?? 0,
        available: status?.availableReplicas ?? 0,
        terminating: status?.terminatingReplicas ?? 0,
        currentRevision: status?.currentRevision ?? "",
        updateRevision: status?.updateRevision ?? "",
        notMade: whyNotMade(status?.conditions ?? []),
      },
      rolloutNumber: annotations?.[rolloutNumberKey] ?? "",
      hasAnnotations: annotations !== undefined,
      skip: annotations?.["svc.dev/skipreconcile"],
      trigger: annotations?.["debug.svc.dev/trigger-event"],
      asks: {
        runNow: annotations?.[annotationOf.runNow],
        retry: annotations?.[annotationOf.retry],
        rollback: annotations?.[annotationOf.rollback],
      },
      instead: { container: annotations?.[containerAnnotation], channel: annotations?.[channelAnnotation] },
      gitOps: markOf({ [argo]: annotations?.[argo], [flux]: labels?.[flux], [fluxHelm]: labels?.[fluxHelm] }, managers),
      imageSetters: named.managedFields.flatMap((entry) => settersIn(entry)),
      ownEntry: ownEntry < 0 ? undefined : ownEntry,
    },
  };
}

type Condition = { readonly type: string; readonly status: string; readonly message: string };

/** Leaves the pod's name out, because it changes with each try. */
function whyNotMade(conditions: readonly Condition[]): string {
  const message = conditions.find(({ type, status }) => type === "ReplicaFailure" && status === "True")?.message ?? "";
  return quote(message.replace(/^pods "[^"]*" is forbidden: /, ""), 300);
}

/** The longest time that any of the containers may take to start. */
function startSeconds(containers: readonly Of<typeof container>[]): number {
  return Math.max(
    0,
    ...containers.map(({ startupProbe: probe }) =>
      probe === undefined ? 0 : probe.initialDelaySeconds + probe.failureThreshold * probe.periodSeconds,
    ),
  );
}

type FieldsEntry = Omit<ImageSetter, "container"> & { readonly fieldsV1?: object | undefined };

function settersIn({ manager, operation, time, fieldsV1 }: FieldsEntry): readonly ImageSetter[] {
  let fields: unknown = fieldsV1;
  for (const key of ["f:spec", "f:template", "f:spec", "f:containers"]) fields = keyIn(fields, key);
  return Object.keys(typeof fields === "object" && fields !== null ? fields : {}).flatMap((key) => {
    const [, name] = /^k:\{"name":"([a-z0-9-]+)"\}$/.exec(key) ?? [];
    return name === undefined || keyIn(keyIn(fields, key), "f:image") === undefined
      ? []
      : [{ container: name, manager, operation, time }];
  });
}

function keyIn(found: unknown, key: string): unknown {
  return typeof found === "object" && found !== null ? Object.getOwnPropertyDescriptor(found, key)?.value : undefined;
}

/** The GitOps tool that manages the object. Charts set `app.kubernetes.io/instance` themselves, so that label does not count. */
function markOf(marks: Readonly<Record<string, string | undefined>>, managers: readonly string[]): string | undefined {
  const [mark] = Object.entries(marks).find(([, value]) => (value ?? "") !== "") ?? [];
  return mark ?? managers.find((manager) => toolsManagers.test(manager));
}

/** The field managers of Argo CD and Flux. */
export const toolsManagers: RegExp = /^(?:argocd-|argocd$|kustomize-controller$|helm-controller$)/;

/** Whether the controller has seen the object's last change. */
export function isObserved({ generation, status }: Pick<SeenObject, "generation" | "status">): boolean {
  return status.observedGeneration >= generation;
}

/** Undefined if it has no container of that name. */
export function imageIn({ containers }: Pick<SeenObject, "containers">, name: string): string | undefined {
  return containers.find((one) => one.name === name)?.image;
}
