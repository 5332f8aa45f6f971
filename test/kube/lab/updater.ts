import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { userNumber } from "../../../packaging/oci/base.ts";
import { excerpt } from "../../documents.ts";
import { freePorts, serving } from "../../proxy/server/process.ts";
import { until } from "../../system/lab/until.ts";
import type { Kubectl, Lab } from "./kubectl.ts";
import type { Rule, Stage } from "./namespace.ts";

/** What the document says that the updater needs, and nothing else. */
export const updaterRules = parse(excerpt("kube-role")) as readonly Rule[];

/** The same for a Deployment of that name. */
export const deploymentRules: readonly Rule[] = [
  ...updaterRules.map(({ resources, resourceNames, ...rule }) => ({
    ...rule,
    resources: resources.map((name) => (name === "statefulsets" ? "deployments" : name)),
    ...(resourceNames === undefined
      ? {}
      : { resourceNames: resourceNames.map((name) => name.replace(/^statefulset-/, "deployment-")) }),
  })),
  { apiGroups: ["apps"], resources: ["replicasets"], verbs: ["list", "watch"] },
];

/** A busy machine takes its time, and a watch waits longer after each failure. */
export const longestMs = 40_000;
const project = join(import.meta.dirname, "../../..");

export function seen(admin: Kubectl, object: string, path: string): Promise<string> {
  return admin(["get", object, `--output=jsonpath=${path}`]);
}

export function trigger(admin: Kubectl, value: string, object = "statefulset/agent"): Promise<string> {
  return admin(["annotate", "--overwrite", object, `debug.svc.dev/trigger-event=${value}`]);
}

/** Waits until the record of the object says it. */
export async function decided(admin: Kubectl, reason: string, record = "statefulset-agent-updater"): Promise<void> {
  let last = "";
  const looks = async (): Promise<true | undefined> => {
    last = await seen(admin, `configmap/${record}`, "{.data.status}").catch(String);
    return last.includes(`\nreason: ${reason}\n`) ? true : undefined;
  };
  await until(`the record says ${reason}`, longestMs, looks).catch((failure: unknown) => {
    throw new Error(`${String(failure)}; it says\n${last}`);
  });
}

/** Waits until the updater owns no field of the object. */
export function givenBack(admin: Kubectl, object = "statefulset/agent"): Promise<unknown> {
  return until("the updater has given the field back", longestMs, async () => {
    const managers = await admin([
      "get",
      object,
      "--show-managed-fields",
      "--output=jsonpath={.metadata.managedFields[*].manager}",
    ]);
    return managers.includes("svc-kube-updater") ? undefined : true;
  });
}

export async function schedule(admin: Kubectl, start: string, stop: string): Promise<void> {
  const text = JSON.stringify({ windows: [{ start, stop }] });
  await admin(["apply", "--filename=-"], {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "release-shared-state" },
    stringData: { "agent-maintenance-schedule": text },
  });
}

export type VersionServer = AsyncDisposable & { readonly url: string; readonly serves: (version: string) => Promise<void> };

/** svc-proxy on loopback. */
export async function versionServer(version: string): Promise<VersionServer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-kube-"));
  const config = join(folder, "svc.yaml");
  const [port, diagnostics] = await freePorts();
  const write = (served: string): void =>
    writeFileSync(
      config,
      `proxy_service:
  enabled: yes
  public_addr: proxy.example.com:443
  web_listen_addr: 127.0.0.1:${port}
  diag_addr: 127.0.0.1:${diagnostics}
  automatic_upgrades_channels: {default: {static_version: ${served}}}
`,
    );
  write(version);
  const server = serving(config);
  await server.listening();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    serves: async (served: string): Promise<void> => {
      write(served);
      server.kill("SIGHUP");
      await until("the other version is served", longestMs, async () => {
        const answer = await fetch(`${url}/v1/webapi/automaticupgrades/channel/default/version`);
        return (await answer.text()).trim() === served ? true : undefined;
      });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

export type Updater = AsyncDisposable & {
  readonly log: () => string;
  readonly said: (what: RegExp) => Promise<unknown>;
  readonly ended: (signal: NodeJS.Signals) => Promise<unknown>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Runs a command of the program by the same settings, as `kubectl exec` would. */
  readonly command: (...words: readonly string[]) => Promise<Ran>;
};

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** The program beside the control plane, under the token of its service account. `changes`: of its settings. */
export function startUpdater(
  { lab, namespace, account }: Stage,
  endpoint: string,
  changes?: (text: string) => string,
  unpacked?: string,
): Updater {
  const shown = excerpt("kube-settings").replace("namespace: agents", `namespace: ${namespace}`);
  const beside = "\nunscheduled: wait\nregistry: {lookup: never}\ndeadlines: {ask: 1s, gather: 1s}\n";
  const text = `${shown.replace("https://proxy.example.com", endpoint)}${beside}`;
  return startUpdaterWith(text, { lab, token: account.token, unpacked, ...(changes === undefined ? {} : { changes }) });
}

type Beside = {
  readonly lab: Lab;
  readonly token: string;
  readonly changes?: (text: string) => string;
  /** Where its image is, from which it runs as the image's user, with nothing else to be seen; it is the program's source otherwise. */
  readonly unpacked?: string | undefined;
};

/** The same with these settings, as they are in a pod. */
export function startUpdaterWith(text: string, { lab, token: ofAccount, changes = (whole) => whole, unpacked }: Beside): Updater {
  const root = unpacked ?? "";
  const folder = mkdtempSync(join(unpacked ?? tmpdir(), "svc-kube-"));
  chmodSync(folder, 0o755);
  const inside = folder.slice(root.length);
  const [settings, token, authority] = [join(inside, "settings.yaml"), join(inside, "token"), join(inside, "authority")];
  writeFileSync(root + token, `${ofAccount}\n`);
  copyFileSync(lab.authority, root + authority);
  const api = { url: lab.server, ca_file: authority, token_file: token };
  writeFileSync(root + settings, changes(`${text}\napi_server: ${JSON.stringify(api)}\n`));
  const [program = "", ...words] =
    unpacked === undefined
      ? [process.execPath, "src/svc-kube-updater.ts"]
      : ["/usr/sbin/chroot", `--userspec=${userNumber}:${userNumber}`, unpacked, "/usr/bin/svc-kube-updater"];
  const started = (...typed: readonly string[]) =>
    spawn(program, [...words, ...typed, "--config", settings], {
      cwd: project,
      // A proxy is set that would refuse everything.
      env: { HTTPS_PROXY: "http://192.0.2.1:3128" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const child = started("start");
  child.stdout.resume();
  const isOver = once(child, "close");
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  return {
    log: () => log,
    said: (what: RegExp): Promise<unknown> =>
      until(`the updater says ${what.source}`, longestMs, () => Promise.resolve(what.test(log) ? true : undefined)).catch(() => {
        throw new Error(`it never said ${what.source}:\n${log}`);
      }),
    signal: (signal: NodeJS.Signals): void => void child.kill(signal),
    ended: (signal: NodeJS.Signals): Promise<unknown> => {
      child.kill(signal);
      return isOver;
    },
    command: async (...typed: readonly string[]): Promise<Ran> => {
      const run = started(...typed);
      const isDone = once(run, "close");
      let [stdout, stderr] = ["", ""];
      run.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
      run.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      await isDone;
      return { status: run.exitCode, stdout, stderr };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill("SIGKILL");
      await isOver;
      rmSync(folder, { recursive: true });
    },
  };
}
