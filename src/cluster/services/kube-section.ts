import {
  apiServerKeys,
  label,
  objectKind,
  outsideOfPod,
  subdomain,
  type ApiServerSettings,
  type InPod,
} from "../../kube/objects/fields.ts";
import type { ObjectKind } from "../../kube/objects/seen.ts";
import { allowedFor } from "../../rules/shape/allowed.ts";
import type { Refusal } from "../../rules/shape/reading.ts";
import { allowing, maybe, record, type Of } from "../../rules/shape/shape.ts";

/** The section `svc.kube`: this pod's object, and where its updater reads when it may work. */
export type KubeConfiguration = {
  readonly namespace: string;
  readonly object: { readonly kind: ObjectKind; readonly name: string };
  readonly scheduleSecret: string;
  readonly apiServer: ApiServerSettings;
};

const ownObject = allowing("a mapping of kind and name", record({ kind: objectKind, name: subdomain }));

export const kube = allowing(
  "a mapping of object and schedule_secret",
  record({ object: ownObject, schedule_secret: subdomain, namespace: maybe(label), api_server: maybe(apiServerKeys) }),
);

export type KubeSection = {
  readonly configuration: KubeConfiguration | undefined;
  readonly refusals: readonly Refusal[];
};

/** Completes the section from the pod's own facts. */
export function withPod(keys: Of<typeof kube> | undefined, seePod: () => InPod): KubeSection {
  if (keys === undefined) return { configuration: undefined, refusals: [] };
  const pod = seePod();
  const { object, schedule_secret: scheduleSecret, namespace = pod.namespace, api_server: apiServer = pod.apiServer } = keys;
  if (namespace !== undefined && apiServer !== undefined) {
    return { configuration: { namespace, object, scheduleSecret, apiServer }, refusals: [] };
  }
  return {
    configuration: undefined,
    refusals: [
      ...(namespace === undefined ? [{ at: "svc.kube.namespace", found: "nothing", allowed: allowedFor(label) }] : []),
      ...(apiServer === undefined ? [{ at: "svc.kube.api_server", found: "nothing", allowed: outsideOfPod }] : []),
    ],
  };
}
