import { join } from "node:path";
import { mustRun } from "../../system/lab/program.ts";
import type { Lab } from "./kubectl.ts";

export const helms = ["helm3", "helm4"] as const;
export type HelmName = (typeof helms)[number];

/** Runs helm with those words, as the administrator, and gives its output; the values are its standard input. */
export type Helm = (argv: readonly string[], values?: object) => Promise<string>;

export const chart: string = join(import.meta.dirname, "../../../packaging/chart");

/** Offline: of a control plane nothing but its version is known. */
export const offline: readonly string[] = ["--kube-version=1.36.4"];

export function helmOf(lab: Lab, name: HelmName, namespace = "default"): Helm {
  // Its repositories and caches lie below its home.
  const env = { PATH: "/usr/bin:/bin", HOME: join(lab.folder, name), KUBECONFIG: lab.kubeconfig };
  return (argv, values) =>
    mustRun(
      [join(lab.programs, name), `--namespace=${namespace}`, ...argv, ...(values === undefined ? [] : ["--values=-"])],
      values === undefined ? { env } : { env, input: JSON.stringify(values) },
    );
}
