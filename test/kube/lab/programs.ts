import { createHash } from "node:crypto";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheDirectory } from "../../system/lab/base.ts";

/** The Go module: its go.mod and go.sum pin versions and checksums of everything that is built. */
export const moduleFolder: string = join(import.meta.dirname, "programs");

const kubernetes = "1.36.4";
const version = "k8s.io/component-base/version";
const [major, minor] = kubernetes.split(".");
const named = `-X ${version}.gitVersion=v${kubernetes} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`;

/** One `go build` each. */
export const builds: readonly { readonly flags: string; readonly output: string; readonly packages: readonly string[] }[] = [
  {
    flags: `-s -w ${named}`,
    output: "",
    packages: [
      ...["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"].map(
        (name) => `k8s.io/kubernetes/cmd/${name}`,
      ),
      "sigs.k8s.io/kwok/cmd/kwok",
    ],
  },
  { flags: "-s -w", output: "etcd", packages: ["go.etcd.io/etcd/server/v3"] },
  { flags: "-s -w", output: "helm3", packages: ["helm.sh/helm/v3/cmd/helm"] },
  { flags: "-s -w", output: "helm4", packages: ["helm.sh/helm/v4/cmd/helm"] },
];

/** The folder of the programs, outside the checkout. Other versions or flags get another folder. */
export async function programsFolder(): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([process.arch, builds]));
  for (const file of ["go.mod", "go.sum"]) hash.update(await readFile(join(moduleFolder, file)));
  return join(await cacheDirectory(), `kube-${hash.digest("hex").slice(0, 12)}`);
}

/** The folder appears once all programs are in it. */
export async function arePrograms(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    () => false,
  );
}

/** Why no control plane can be started, and the command that helps; undefined where one can. */
export async function missingForLab(): Promise<string | undefined> {
  if (await arePrograms(await programsFolder())) return undefined;
  return "The Kubernetes tests need a control plane, and its programs are not built: `npm run kube:lab -- build` builds them, in ten minutes.";
}
