import { until } from "../../system/lab/until.ts";
import type { Kubectl } from "./kubectl.ts";
import { statefulSet } from "./stateful-set.ts";
import { schedule, seen } from "./updater.ts";

/** What tests of moves begin with, and how they end. */

/** Every deadline is a few seconds. */
export function quick(text: string): string {
  return text.replace(/^deadlines: .*$/m, "deadlines: {ask: 1s, gather: 1s, health: 4s, settle: 1s, free: 1s}");
}

export async function openWindow(admin: Kubectl): Promise<void> {
  await schedule(admin, new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString());
}

/** The StatefulSet "agent" of three ready pods. `more`: of its spec. */
export async function made(admin: Kubectl, image: string, more: object = {}): Promise<void> {
  const { spec, ...set } = statefulSet({ name: "agent", image }) as { readonly spec: object };
  await admin(["create", "--filename=-"], { ...set, spec: { ...spec, ...more } });
  await admin(["wait", "--for=jsonpath={.status.availableReplicas}=3", "statefulset/agent", "--timeout=60s"]);
}

/** The same for a Deployment. */
export function quickDeployment(text: string): string {
  return quick(text).replace("StatefulSet", "Deployment");
}

/** The Deployment "agent" of three ready pods. */
export async function deployed(admin: Kubectl, image: string): Promise<void> {
  const { spec, ...set } = statefulSet({ name: "agent", image }) as { readonly spec: object };
  const { serviceName: _, ...others } = spec as { readonly serviceName: string };
  await admin(["create", "--filename=-"], {
    ...set,
    kind: "Deployment",
    spec: { ...others, progressDeadlineSeconds: 3 },
  });
  await admin(["wait", "--for=jsonpath={.status.availableReplicas}=3", "deployment/agent", "--timeout=60s"]);
}

/** Of the pods, by their names. */
export function images(admin: Kubectl): Promise<string> {
  return seen(admin, "pods", "{.items[*].spec.containers[0].image}");
}

/** By name, the uids of pods whose image is a good one. */
export async function goodPods(admin: Kubectl): Promise<readonly string[]> {
  const pods = await seen(admin, "pods", "{range .items[*]}{.metadata.uid} {.spec.containers[0].image}{'\\n'}{end}");
  // By the image alone: the letters of a uid may say anything.
  return pods.split("\n").flatMap((line) => {
    const [uid = "", image = ""] = line.split(" ");
    return image === "" || image.includes("bad") ? [] : [uid];
  });
}

export function generation(admin: Kubectl): Promise<string> {
  return seen(admin, "statefulset/agent", "{.metadata.generation}");
}

/** The updater's memory, as it is written. */
export async function recorded(admin: Kubectl): Promise<Recorded> {
  return JSON.parse(await seen(admin, "configmap/statefulset-agent-updater", "{.data.record}")) as Recorded;
}

export type Recorded = {
  readonly turn: number;
  readonly move?: { readonly step: string; readonly to: string };
  readonly rejected?: readonly { readonly served: string }[];
};

/** Changes the StatefulSet by a merge. */
export async function changed(admin: Kubectl, spec: object): Promise<void> {
  await admin(["patch", "statefulset/agent", "--type=merge", `--patch=${JSON.stringify({ spec })}`]);
}

/** As a kubelet says it that could not reach the API server until now. */
export async function getsReady(admin: Kubectl, pod: string, image: string): Promise<void> {
  const running = (): Promise<string> =>
    admin(["get", pod, "--ignore-not-found", "--output=jsonpath={.spec.containers[0].image} {.status.phase}"]);
  await until(`${pod} runs ${image}`, 20_000, async () => ((await running()) === `${image} Running` ? true : undefined));
  const conditions = ["Ready", "ContainersReady"].map((type) => ({ type, status: "True" }));
  await admin(["patch", pod, "--subresource=status", `--patch=${JSON.stringify({ status: { conditions } })}`]);
}
