import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { excerpt } from "../../../test/documents.ts";
import { startControlPlane } from "../../../test/kube/lab/control-plane.ts";
import { kubectlOf, type Kubectl } from "../../../test/kube/lab/kubectl.ts";
import { missingForLab, programsFolder } from "../../../test/kube/lab/programs.ts";
import { statefulSet } from "../../../test/kube/lab/stateful-set.ts";
import { versionServer, type VersionServer } from "../../../test/kube/lab/updater.ts";
import { wayTo, type Way } from "../../../test/kube/lab/way.ts";
import { until } from "../../../test/system/lab/until.ts";
import { imageEnvironment } from "../../oci/layout.ts";
import { executablePath, nativeArchitecture, projectRoot } from "../../project.ts";
import { Requests, writePolicy } from "./requests.ts";

const namespace = "bench";
const account = "updater";
const createdAtOnce = 100;
const longestMs = 600_000;
/** How many requests the controllers may send in a second, so that they keep up with thousands of objects. */
const often = ["--kube-api-qps=1000", "--kube-api-burst=2000"];

export type Updater = {
  readonly processId: number;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
};

export type Stage = {
  readonly program: readonly [string, ...string[]];
  readonly programName: string;
  /** kubectl in this namespace, as the administrator. */
  readonly admin: Kubectl;
  readonly requests: Requests;
  /** The connection between the updater and the API server, which the benchmark can cut. */
  readonly way: Way;
  readonly versions: VersionServer;
  readonly start: () => Updater;
  readonly close: () => Promise<void>;
};

/** Makes a control plane with that many labelled objects, every second one a Deployment. All their pods are ready. */
export async function openStage(objects: number): Promise<Stage> {
  const missing = await missingForLab();
  if (missing !== undefined) throw new Error(missing);
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const [policy, noted] = [join(folder, "policy.json"), join(folder, "requests.log")];
  writePolicy(policy, `system:serviceaccount:${namespace}:${account}`);
  const plane = await startControlPlane(await programsFolder(), {
    "kube-apiserver": [`--audit-policy-file=${policy}`, `--audit-log-path=${noted}`],
    "kube-controller-manager": [...often, "--concurrent-statefulset-syncs=20"],
    "kube-scheduler": often,
  });
  const everywhere = kubectlOf(plane, plane.kubeconfig);
  const admin: Kubectl = (argv, ...more) => everywhere([`--namespace=${namespace}`, ...argv], ...more);
  const closing: (() => Promise<void>)[] = [plane.stop];
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await everywhere(["create", "--filename=-"], ...accountObjects());
    const way = await wayTo(plane.server);
    closing.push(async () => way[Symbol.asyncDispose]());
    const versions = await versionServer("v15.4.5");
    closing.push(async () => versions[Symbol.asyncDispose]());
    await makeObjects(admin, objects);
    const token = join(folder, "token");
    writeFileSync(token, await admin(["create", "token", account, "--duration=24h"]), { mode: 0o600 });
    const api = { url: way.url, ca_file: plane.authority, token_file: token };
    const settings = join(folder, "settings.yaml");
    writeFileSync(
      settings,
      `labelled: {namespace: ${namespace}, updater: bench}
endpoint: ${versions.url}
schedule_secret: release-shared-state
unscheduled: wait
registry: {lookup: never}
deadlines: {ask: 5s, settle: ${settleSeconds}s}
api_server: ${JSON.stringify(api)}
`,
    );
    const built = executablePath(nativeArchitecture, "svc-kube-updater");
    const isBuilt = existsSync(built);
    const program: Stage["program"] = isBuilt ? [built] : [process.execPath, resolve(projectRoot, "src/svc-kube-updater.ts")];
    const [file, ...words] = program;
    const start = (): Updater => {
      const path = join(folder, "updater.log");
      const log = openSync(path, "w");
      const child = spawn(file, [...words, "start", "--config", settings], {
        stdio: ["ignore", "ignore", log],
        env: { ...process.env, ...imageEnvironment },
      });
      closeSync(log);
      const isOver = once(child, "exit");
      const stop = async (): Promise<void> => {
        child.kill("SIGKILL");
        await isOver;
      };
      closing.push(stop);
      return { processId: child.pid ?? 0, log: () => readFileSync(path, "utf8"), stop };
    };
    const programName = isBuilt ? built.slice(projectRoot.length + 1) : "the source, by the runtime that runs this";
    return { program, programName, admin, requests: new Requests(noted), way, versions, start, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}

export const settleSeconds = 5;

function accountObjects(): readonly object[] {
  const metadata = { name: account, namespace };
  const rbac = "rbac.authorization.k8s.io";
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules: parse(excerpt("kube-labelled-role")) as unknown },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: rbac, kind: "Role", name: account },
      subjects: [{ kind: "ServiceAccount", name: account, namespace }],
    },
  ];
}

/** The object's name as kubectl takes it. */
export function referenceOf(index: number): string {
  return `${index % 2 === 0 ? "statefulset" : "deployment"}/agent-${String(index).padStart(5, "0")}`;
}

type Workload = { readonly metadata: object; readonly spec: { readonly serviceName?: string } };

function objectOf(index: number): object {
  const [kind, name = ""] = referenceOf(index).split("/");
  const set = statefulSet({ name, image: "svc:15.4.5" }) as Workload;
  const metadata = { ...set.metadata, labels: { "svc.dev/updater": "bench" } };
  const { serviceName, ...spec } = set.spec;
  if (kind === "deployment") return { ...set, metadata, kind: "Deployment", spec };
  return { ...set, metadata, spec: { ...spec, serviceName, podManagementPolicy: "Parallel" } };
}

async function makeObjects(admin: Kubectl, objects: number): Promise<void> {
  for (let first = 0; first < objects; first += createdAtOnce) {
    const count = Math.min(createdAtOnce, objects - first);
    await admin(["create", "--filename=-"], ...Array.from({ length: count }, (_, index) => objectOf(first + index)));
  }
  await until("all pods are ready", longestMs, async () => ((await readyPods(admin)) === objects * 3 ? true : undefined));
}

/** The number of ready pods of all objects. */
async function readyPods(admin: Kubectl): Promise<number> {
  const found = await admin(["get", "statefulsets,deployments", "--output=jsonpath={.items[*].status.readyReplicas}"]);
  return found
    .split(" ")
    .map(Number)
    .reduce((sum, count) => sum + count, 0);
}
