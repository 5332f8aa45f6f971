import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { freePort, place, service, type Service } from "../../cluster/svc/process.ts";
import { seen, startUpdaterWith, type Updater } from "./updater.ts";
import type { Kubectl } from "./kubectl.ts";
import type { Stage } from "./namespace.ts";

const project = join(import.meta.dirname, "../../..");

export type Cluster = AsyncDisposable & {
  readonly authServer: string;
  /** Of auth, which tctl reads. */
  readonly config: string;
  readonly pin: string;
  /** Gives what it printed; throws where it fails. The words may be followed by what it reads. */
  readonly tctl: (words: readonly string[], input?: string) => Promise<string>;
};

/** The auth service of a cluster on loopback, to which everybody reports every second. */
export async function startCluster(): Promise<Cluster> {
  const [port, diagnostics] = await Promise.all([freePort(), freePort()]);
  const at = place(`svc: {data_dir: DIR/data}
auth_service: {cluster_name: example, listen_addr: 127.0.0.1:${port}, diag_addr: 127.0.0.1:${diagnostics}, report_interval: 1s}
`);
  const auth = await service(at.config);
  const tctl: Cluster["tctl"] = async (words, input = "") => {
    const child = spawn(process.execPath, [join(project, "src/tctl.ts"), ...words, "-c", at.config], { cwd: at.directory });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.end(input);
    const [status] = (await once(child, "close")) as [number | null];
    if (status !== 0) throw new Error(`tctl ${words.join(" ")} ended with ${status}:\n${said}`);
    return said;
  };
  const pin = /sha256:[0-9a-f]{64}/.exec(await tctl(["status"]))?.[0] ?? "";
  return {
    authServer: `127.0.0.1:${port}`,
    config: at.config,
    pin,
    tctl,
    async [Symbol.asyncDispose]() {
      await auth[Symbol.asyncDispose]();
      at[Symbol.dispose]();
    },
  };
}

/** Of the chart's account of that name. */
export async function tokenOf({ admin }: Pick<Stage, "admin">, account: string): Promise<string> {
  return (await admin(["create", "token", account])).trim();
}

/** The settings that the chart has made for the updater that is meant to run. */
export async function chartsSettings(admin: Kubectl): Promise<string> {
  const path = '{.spec.template.spec.volumes[?(@.name=="settings")].configMap.name}';
  return seen(admin, `configmap/${await seen(admin, "deployment/agent-updater", path)}`, "{.data.settings\\.yaml}");
}

/** `svc-kube-updater start` as the chart has configured it, with short deadlines. */
export async function startChartsUpdater(
  { admin, lab, namespace }: Pick<Stage, "lab" | "admin" | "namespace">,
  deadlines = "{ask: 1s, gather: 1s, settle: 1s}",
): Promise<Updater> {
  const settings = await chartsSettings(admin);
  const here = settings
    .replace("object:\n", `object:\n  namespace: ${namespace}\n`)
    .replace(/^registry: .*$/m, "registry: {lookup: never}")
    .replace(/^listen: .*$/m, `deadlines: ${deadlines}`);
  return startUpdaterWith(here, { lab, token: await tokenOf({ admin }, "agent-updater") });
}

type Pods = Pick<Stage, "lab" | "admin" | "namespace"> & {
  /** Where they reach the API server; unless given, where everybody does. */
  readonly server?: string;
  readonly tokenSecret?: string;
};

/** `svc start` by the configuration that the chart has made for the pods of the release "agent", beside the lab. */
export async function startAgent(pods: Pods): Promise<Service> {
  const { admin, lab, namespace, server = lab.server, tokenSecret = "agent-join-token" } = pods;
  const at = place("");
  const file = (name: string, text: string): string => {
    writeFileSync(join(at.directory, name), text, { mode: 0o600 });
    return join(at.directory, name);
  };
  type Configuration = { svc: { join: object; kube: object } };
  const { svc } = parse(await seen(admin, "configmap/agent", "{.data.svc\\.yaml}")) as Configuration;
  const token = Buffer.from(await seen(admin, `secret/${tokenSecret}`, "{.data.token}"), "base64").toString();
  const mounted = { url: server, ca_file: lab.authority, token_file: file("account", await tokenOf(pods, "agent")) };
  const here = {
    ...svc,
    nodename: "agent-0",
    data_dir: join(at.directory, "data"),
    join: { ...svc.join, token_file: file("token", token) },
    kube: { ...svc.kube, namespace, api_server: mounted },
  };
  at.write(JSON.stringify({ svc: here }));
  const agent = await service(at.config);
  return {
    ...agent,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      at[Symbol.dispose]();
    },
  };
}
