export type StatefulSetOptions = { readonly name: string; readonly image: string; readonly replicas?: number };

/** Pods of one container, "svc", whose image says how they fare: see stages.yaml. */
export function statefulSet({ name, image, replicas = 3 }: StatefulSetOptions): object {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name },
    spec: {
      serviceName: name,
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "svc", image }] } },
    },
  };
}
