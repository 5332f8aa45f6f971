import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../system/lab/until.ts";
import { kubeconfigText, kubectlOf, type Kubectl, type Lab } from "./kubectl.ts";
import {
  accountKeyOf,
  authorityOf,
  clientParts,
  portsNeeded,
  serverOf,
  serverParts,
  tokensOf,
  type Part,
  type Place,
} from "./parts.ts";
import { freePortsInARow } from "./ports.ts";
import { startService, type Service } from "./service.ts";

/** Four seconds on an idle machine. */
const longestStartMs = 60_000;
const nodes = ["node-1", "node-2", "node-3"];
const folderName = /^svc-kube-lab-(\d+)-/;

export type ControlPlane = Lab & {
  /** Resolves when a program ends, with the last lines of its log. */
  readonly broken: Promise<string>;
  /** Ends the programs at once, and deletes their folder. */
  readonly stop: () => Promise<void>;
  /** To a program of it. */
  readonly signal: (program: string, signal: NodeJS.Signals) => void;
};

/** One control plane on loopback, with three nodes whose pods kwok plays. `more`: words for a program beside the usual ones. */
export async function startControlPlane(
  programs: string,
  more: Readonly<Record<string, readonly string[]>> = {},
): Promise<ControlPlane> {
  await sweepAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `svc-kube-lab-${process.pid}-`));
  const services = new Map<string, Service>();
  async function stop(): Promise<void> {
    await Promise.all([...services.values()].map((service) => service.stop()));
    await rm(folder, { recursive: true, force: true });
  }
  try {
    const place = { folder, kubeconfig: join(folder, "kubeconfig"), port: await freePortsInARow(portsNeeded) };
    const lab = { programs, folder, kubeconfig: place.kubeconfig, server: serverOf(place), authority: authorityOf(place) };
    await writeSecrets(place, lab);
    const start = (parts: readonly Part[]): void => {
      for (const { program, argv } of parts) {
        services.set(program, startService(programs, folder, { program, argv: [...argv, ...(more[program] ?? [])] }));
      }
    };
    const admin = kubectlOf(lab, lab.kubeconfig);
    start(serverParts(place));
    await until("the API server is ready", longestStartMs, () => orBroken(services, answers(admin)));
    start(clientParts(place));
    await orBroken(services, nodesAreReady(admin));
    const signal: ControlPlane["signal"] = (program, one) => services.get(program)?.signal(one);
    return { ...lab, stop, signal, broken: firstEnded(services) };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

/** Takes away the folder of a run that was killed; its programs ended with it. Another user's folder stays. */
async function sweepAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = folderName.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function writeSecrets(place: Place, lab: Lab): Promise<void> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const token = randomBytes(16).toString("hex");
  await writeFile(accountKeyOf(place), privateKey.export({ format: "pem", type: "sec1" }), { mode: 0o600 });
  await writeFile(tokensOf(place), `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  await writeFile(place.kubeconfig, kubeconfigText({ ...lab, token, namespace: "default" }), { mode: 0o600 });
}

type Services = ReadonlyMap<string, Service>;

function firstEnded(services: Services): Promise<string> {
  return Promise.race([...services.values()].map(({ ended }) => ended));
}

function orBroken<Answer>(services: Services, asked: Promise<Answer>): Promise<Answer> {
  const broken = firstEnded(services).then((words): never => {
    throw new Error(words);
  });
  return Promise.race([asked, broken]);
}

function answers(admin: Kubectl): Promise<true | undefined> {
  return admin(["get", "--raw=/readyz"]).then(
    () => true,
    () => undefined,
  );
}

async function nodesAreReady(admin: Kubectl): Promise<void> {
  await admin(
    ["create", "--filename=-"],
    ...nodes.map((name) => ({ apiVersion: "v1", kind: "Node", metadata: { name, labels: { "kubernetes.io/hostname": name } } })),
  );
  await admin(["wait", "--for=condition=Ready", "node", "--all", `--timeout=${longestStartMs}ms`]);
}
