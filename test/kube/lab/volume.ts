import type { Stage } from "./namespace.ts";

/** The claim of the first pod of the StatefulSet "agent": nothing in the lab makes volumes. */
export async function makeVolume({ namespace, admin }: Pick<Stage, "namespace" | "admin">): Promise<void> {
  const claim = { accessModes: ["ReadWriteOnce"], storageClassName: "" };
  await admin(
    ["create", "--filename=-"],
    {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: namespace },
      spec: {
        ...claim,
        capacity: { storage: "64Mi" },
        hostPath: { path: "/lab" },
        claimRef: { namespace, name: "data-agent-0" },
      },
    },
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data-agent-0", annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
      spec: { ...claim, volumeName: namespace, resources: { requests: { storage: "64Mi" } } },
    },
  );
}
