import { join } from "node:path";
import { mustRun } from "../../system/lab/program.ts";

/** What a test is told of the control plane. */
export type Lab = {
  /** The folder of kubectl, helm3, helm4 and the others. */
  readonly programs: string;
  readonly folder: string;
  readonly server: string;
  /** The file of the certificate that signs the server's. */
  readonly authority: string;
  /** The administrator's, who may do everything. */
  readonly kubeconfig: string;
};

/** Runs kubectl with those words and gives its output; objects are its standard input. Throws where kubectl fails. */
export type Kubectl = (argv: readonly string[], ...objects: readonly object[]) => Promise<string>;

export function kubectlOf(lab: Lab, kubeconfig: string): Kubectl {
  // kubectl keeps what it discovered below its home.
  const env = { PATH: "/usr/bin:/bin", HOME: lab.folder };
  return (argv, ...items) => {
    const input = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    return mustRun([join(lab.programs, "kubectl"), `--kubeconfig=${kubeconfig}`, ...argv], { env, input });
  };
}

/** JSON is YAML. */
export function kubeconfigText({ server, authority, token, namespace }: KubeconfigParts): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "lab", cluster: { server, "certificate-authority": authority } }],
    users: [{ name: "lab", user: { token } }],
    contexts: [{ name: "lab", context: { cluster: "lab", user: "lab", namespace } }],
    "current-context": "lab",
  });
}

type KubeconfigParts = Pick<Lab, "server" | "authority"> & { readonly token: string; readonly namespace: string };
