import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject, type TestContext } from "vitest";
import { kubeconfigText, kubectlOf, type Kubectl, type Lab } from "./kubectl.ts";
import { missingForLab } from "./programs.ts";

export type Rule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
};

export type Stage = {
  readonly lab: Lab;
  readonly namespace: string;
  /** May do everything, in this namespace where no other is named. */
  readonly admin: Kubectl;
  /** May do what the rules say, in this namespace alone. */
  readonly account: { readonly token: string; readonly kubeconfig: string; readonly kubectl: Kubectl };
};

export type LabTest = (context: TestContext) => Promise<void>;

const accountName = "account";

/** A test in a namespace of its own, with a service account that may do what the rules say. */
export function inNamespace(rules: readonly Rule[], play: (stage: Stage) => Promise<void>): LabTest {
  return inLab((lab) => inNamespaceOf(lab, rules, play));
}

/** The same on another control plane. */
export async function inNamespaceOf(lab: Lab, rules: readonly Rule[], play: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await stageIn(lab, rules);
  try {
    await play(stage);
  } catch (failure) {
    throw await withObjects(stage, failure);
  } finally {
    await stage.admin(["delete", "namespace", stage.namespace, "--wait=false"]);
  }
}

/** A test on the control plane. Skipped, with the reason, where none can be started. */
export function inLab(play: (lab: Lab) => Promise<void>): LabTest {
  return async (context) => {
    const lab = inject("kubeLab");
    if (lab === undefined) context.skip(await missingForLab());
    else await play(lab);
  };
}

async function stageIn(lab: Lab, rules: readonly Rule[]): Promise<Stage> {
  const namespace = `test-${randomBytes(4).toString("hex")}`;
  const everywhere = kubectlOf(lab, lab.kubeconfig);
  const admin: Kubectl = (argv, ...objects) => everywhere([`--namespace=${namespace}`, ...argv], ...objects);
  await admin(["create", "--filename=-"], ...accountObjects(namespace, rules));
  const token = (await admin(["create", "token", accountName])).trim();
  const kubeconfig = join(lab.folder, namespace);
  await writeFile(kubeconfig, kubeconfigText({ ...lab, token, namespace }), { mode: 0o600 });
  return { lab, namespace, admin, account: { token, kubeconfig, kubectl: kubectlOf(lab, kubeconfig) } };
}

function accountObjects(namespace: string, rules: readonly Rule[]): readonly object[] {
  const metadata = { name: accountName, namespace };
  const rbac = "rbac.authorization.k8s.io";
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: rbac, kind: "Role", name: accountName },
      subjects: [{ kind: "ServiceAccount", name: accountName, namespace }],
    },
  ];
}

/** Adds what the namespace holds to the failure: the namespace is deleted. */
async function withObjects({ admin }: Stage, failure: unknown): Promise<unknown> {
  const told = await admin(["get", "all,configmaps,events", "--output=wide"]).catch(String);
  if (failure instanceof Error) failure.message += `\n\nIn its namespace:\n${told}`;
  return failure;
}
