import {
  apiServerField,
  label,
  objectKind,
  outsideOfPod,
  subdomain,
  type ApiServerSettings,
  type InPod,
} from "../../kube/objects/fields.ts";
import type { ObjectKind } from "../../kube/objects/seen.ts";
import type { Field } from "../../proxy/server-rules/read-mapping.ts";
import { optional, readFields } from "../../rules/settings/read-fields.ts";
import type { RefusedSetting } from "../../rules/settings/reading.ts";

/** The section `svc.kube`: which object this host is a pod of, and where its updater reads when it may work. */
export type KubeConfiguration = {
  readonly namespace: string;
  readonly object: { readonly kind: ObjectKind; readonly name: string };
  readonly scheduleSecret: string;
  readonly apiServer: ApiServerSettings;
};

type Keys = {
  readonly object: KubeConfiguration["object"];
  readonly schedule_secret: string;
  readonly namespace: string | undefined;
  readonly api_server: ApiServerSettings | undefined;
};

export const kubeField: Field<Keys> = {
  read: (raw) =>
    readFields<Keys>(raw, {
      object: {
        read: (given) => readFields<Keys["object"]>(given, { kind: objectKind, name: subdomain }),
        allowed: "a mapping of kind and name",
      },
      schedule_secret: subdomain,
      namespace: optional(label),
      api_server: optional(apiServerField),
    }),
  allowed: "a mapping of object and schedule_secret",
};

export type KubeSection = {
  readonly configuration: KubeConfiguration | undefined;
  readonly refusals: readonly RefusedSetting[];
};

/** With what the pod says for what is left out. */
export function withPod(keys: Keys | undefined, seePod: () => InPod): KubeSection {
  if (keys === undefined) return { configuration: undefined, refusals: [] };
  const pod = seePod();
  const { object, schedule_secret: scheduleSecret, namespace = pod.namespace, api_server: apiServer = pod.apiServer } = keys;
  if (namespace !== undefined && apiServer !== undefined) {
    return { configuration: { namespace, object, scheduleSecret, apiServer }, refusals: [] };
  }
  return {
    configuration: undefined,
    refusals: [
      ...(namespace === undefined ? [{ at: "svc.kube.namespace", found: "nothing", allowed: label.allowed }] : []),
      ...(apiServer === undefined ? [{ at: "svc.kube.api_server", found: "nothing", allowed: outsideOfPod }] : []),
    ],
  };
}
