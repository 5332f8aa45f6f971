import { until } from "../../system/lab/until.ts";
import type { Stage } from "./namespace.ts";

export type Policy = AsyncDisposable;

/** Refuses changes of this namespace's StatefulSets to an image with that ending, in those words; in force when it resolves. */
export async function refusing(
  { admin, namespace }: Pick<Stage, "admin" | "namespace">,
  { ending, told }: { readonly ending: string; readonly told: string },
): Promise<Policy> {
  const group = "admissionregistration.k8s.io/v1";
  const name = `${namespace}-${ending.replaceAll(/[^a-z0-9]/g, "-")}`;
  const isSo = (object: string): string => `${object}.spec.template.spec.containers.exists(c, c.image.endsWith("${ending}"))`;
  await admin(
    ["create", "--filename=-"],
    {
      apiVersion: group,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["statefulsets"] }],
        },
        validations: [{ expression: `!${isSo("object")} || ${isSo("oldObject")}`, message: told }],
      },
    },
    {
      apiVersion: group,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: ["Deny"],
        matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } },
      },
    },
  );
  const tried = (): Promise<string> =>
    admin(["set", "image", "statefulset/agent", `svc=svc:tried-${ending}`, "--dry-run=server"]);
  await until("the policy is in force", 20_000, () =>
    tried().then(
      () => undefined,
      (failure: unknown) => (String(failure).includes(told) ? true : undefined),
    ),
  );
  return {
    async [Symbol.asyncDispose]() {
      await admin(["delete", `validatingadmissionpolicybinding/${name}`, `validatingadmissionpolicy/${name}`]);
    },
  };
}
