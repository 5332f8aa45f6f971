import { join } from "node:path";

/** A control plane's folder, the administrator's kubeconfig, and the first of its ports. */
export type Place = { readonly folder: string; readonly kubeconfig: string; readonly port: number };

export type Part = { readonly program: string; readonly argv: readonly string[] };

/** In a row: two for etcd, then one for each other program. */
export const portsNeeded = 6;

/** What tests meet. Without the node controller the nodes keep a taint, and nothing is scheduled; without the quota's no quota holds. */
const controllers = [
  "statefulset-controller",
  "deployment-controller",
  "replicaset-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "endpoints-controller",
  "endpointslice-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "root-ca-certificate-publisher-controller",
  "disruption-controller",
  "node-lifecycle-controller",
  "resourcequota-controller",
  "validatingadmissionpolicy-status-controller",
];

export function serverOf({ port }: Pick<Place, "port">): string {
  return `https://127.0.0.1:${port + 2}`;
}

/** The API server signs its own certificate. */
export function authorityOf({ folder }: Pick<Place, "folder">): string {
  return join(folder, "certs/apiserver.crt");
}

export function accountKeyOf({ folder }: Pick<Place, "folder">): string {
  return join(folder, "accounts.key");
}

export function tokensOf({ folder }: Pick<Place, "folder">): string {
  return join(folder, "tokens.csv");
}

/** The store and the API server: the others are clients of the second. */
export function serverParts(place: Place): readonly Part[] {
  const { folder, port } = place;
  const client = `http://127.0.0.1:${port}`;
  return [
    {
      program: "etcd",
      argv: [
        `--data-dir=${join(folder, "etcd")}`,
        `--listen-client-urls=${client}`,
        `--advertise-client-urls=${client}`,
        `--listen-peer-urls=http://127.0.0.1:${port + 1}`,
        "--unsafe-no-fsync",
      ],
    },
    {
      program: "kube-apiserver",
      argv: [
        `--etcd-servers=${client}`,
        "--bind-address=127.0.0.1",
        `--secure-port=${port + 2}`,
        `--cert-dir=${join(folder, "certs")}`,
        `--token-auth-file=${tokensOf(place)}`,
        "--authorization-mode=RBAC",
        `--service-account-key-file=${accountKeyOf(place)}`,
        `--service-account-signing-key-file=${accountKeyOf(place)}`,
        "--service-account-issuer=https://lab",
        "--service-cluster-ip-range=10.96.0.0/24",
      ],
    },
  ];
}

/** Without a bind address the first two listen on every interface. */
export function clientParts(place: Place): readonly Part[] {
  const { folder, kubeconfig, port } = place;
  const shared = [`--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--bind-address=127.0.0.1"];
  return [
    {
      program: "kube-controller-manager",
      argv: [
        ...shared,
        `--secure-port=${port + 3}`,
        `--cert-dir=${join(folder, "controller-manager")}`,
        `--service-account-private-key-file=${accountKeyOf(place)}`,
        `--root-ca-file=${authorityOf(place)}`,
        `--controllers=${controllers.join(",")}`,
      ],
    },
    { program: "kube-scheduler", argv: [...shared, `--secure-port=${port + 4}`] },
    {
      program: "kwok",
      argv: [
        `--kubeconfig=${kubeconfig}`,
        "--manage-all-nodes=true",
        `--config=${join(import.meta.dirname, "stages.yaml")}`,
        `--server-address=127.0.0.1:${port + 5}`,
      ],
    },
  ];
}
