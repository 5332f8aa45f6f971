import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { count, listOf, maybe, orElse, record, text, truth, word } from "../../rules/shape/shape.ts";

export type ObjectKind = "StatefulSet" | "Deployment";

export type SeenContainer = { readonly name: string; readonly image: string };

/** What of a StatefulSet or Deployment decides anything; nothing else of it is kept. */
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
  readonly status: {
    readonly observedGeneration: number;
    readonly replicas: number;
    readonly updated: number;
    readonly ready: number;
    /** Of a StatefulSet; empty where it says none. */
    readonly currentRevision: string;
    readonly updateRevision: string;
  };
  /** The annotations `svc.dev/skipreconcile` and `debug.svc.dev/trigger-event`. */
  readonly skip: string | undefined;
  readonly trigger: string | undefined;
  /** By which mark a GitOps tool's object is known. */
  readonly gitOps: string | undefined;
};

/** The most that the API server takes for all annotations of an object. */
const annotation = text(256 * 1024);

const label = orElse(annotation, "");
const empty = orElse(word, "");
const zero = orElse(count, 0);

const argo = "argocd.argoproj.io/tracking-id";
const flux = "kustomize.toolkit.fluxcd.io/name";
const fluxHelm = "helm.toolkit.fluxcd.io/name";

const metadata = record({
  uid: text(128),
  resourceVersion: text(128),
  generation: zero,
  annotations: maybe(
    record({ "svc.dev/skipreconcile": maybe(annotation), "debug.svc.dev/trigger-event": maybe(annotation), [argo]: label }),
  ),
  labels: maybe(record({ [flux]: label, [fluxHelm]: label })),
  managedFields: orElse(listOf(record({ manager: empty }), 1000), []),
});

/** Zeros are absent, and a key that one of the two kinds lacks is, too. */
const workload = record({
  metadata,
  spec: record({
    replicas: orElse(count, 1),
    paused: orElse(truth, false),
    updateStrategy: maybe(record({ type: empty, rollingUpdate: maybe(record({ partition: zero })) })),
    strategy: maybe(record({ type: empty })),
    template: record({ spec: record({ containers: listOf(record({ name: text(63), image: orElse(text(4096), "") }), 500) }) }),
  }),
  status: maybe(
    record({
      observedGeneration: zero,
      replicas: zero,
      updatedReplicas: zero,
      readyReplicas: zero,
      currentRevision: empty,
      updateRevision: empty,
    }),
  ),
});

export function readObject(found: unknown): Reading<SeenObject> {
  const reading = decodeValue(found, workload, "ignored");
  if (reading.kind === "unreadable") return reading;
  const { metadata: named, spec, status } = reading.value;
  const { annotations, labels } = named;
  const managers = named.managedFields.map(({ manager }) => manager);
  return {
    kind: "read",
    value: {
      uid: named.uid,
      resourceVersion: named.resourceVersion,
      generation: named.generation,
      containers: spec.template.spec.containers,
      replicas: spec.replicas,
      strategy: {
        type: (spec.updateStrategy ?? spec.strategy)?.type || "RollingUpdate",
        partition: spec.updateStrategy?.rollingUpdate?.partition ?? 0,
        isPaused: spec.paused,
      },
      status: {
        observedGeneration: status?.observedGeneration ?? 0,
        replicas: status?.replicas ?? 0,
        updated: status?.updatedReplicas ?? 0,
        ready: status?.readyReplicas ?? 0,
        currentRevision: status?.currentRevision ?? "",
        updateRevision: status?.updateRevision ?? "",
      },
      skip: annotations?.["svc.dev/skipreconcile"],
      trigger: annotations?.["debug.svc.dev/trigger-event"],
      gitOps: markOf({ [argo]: annotations?.[argo], [flux]: labels?.[flux], [fluxHelm]: labels?.[fluxHelm] }, managers),
    },
  };
}

/** Charts set `app.kubernetes.io/instance` themselves, so that is no mark. */
function markOf(marks: Readonly<Record<string, string | undefined>>, managers: readonly string[]): string | undefined {
  const [mark] = Object.entries(marks).find(([, value]) => (value ?? "") !== "") ?? [];
  return mark ?? managers.find((manager) => gitOpsManagers.test(manager));
}

const gitOpsManagers = /^(?:argocd-|argocd$|kustomize-controller$|helm-controller$)/;
