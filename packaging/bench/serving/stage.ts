import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePorts } from "../../free-ports.ts";
import { projectRoot } from "../../project.ts";
import { isInPath, runTool } from "../../tool.ts";
import type { Server } from "./load.ts";

/** Starts servers for a while, each on one processor. */
export type Stage = {
  /** The simplest server that the runtime allows. */
  readonly bare: () => Promise<Server>;
  readonly proxy: (place: Place) => Promise<Server>;
  /** One `svc` with auth and a proxy: a channel that its file decides, and one that a rollout decides by the name of the host. */
  readonly cluster: () => Promise<{ readonly plain: Server; readonly decided: Server }>;
  /** Serves what `svc-proxy export` wrote. Undefined if nginx is not installed. */
  readonly nginx: () => Promise<Server | undefined>;
  readonly close: () => Promise<void>;
};

export type Place = { readonly processor: string };

const firstProcessor = "0";
const longestStartMs = 20_000;
const target = "/v1/webapi/automaticupgrades/channel/default/version";
const clusterProgram = resolve(projectRoot, "src/svc.ts");
const rollout = `kind: rollout
version: v1
metadata: {name: agents}
spec: {channel: default, target: v15.4.6, stages: [{name: all, select: others}]}
`;
const proxyProgram = resolve(projectRoot, "src/svc-proxy.ts");

export function openStage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), "svc-proxy-bench-"));
  const children: ChildProcess[] = [];
  async function start(argv: readonly string[], port: number, { processor }: Place): Promise<Server> {
    const child = spawn("taskset", ["-c", processor, ...argv], { cwd: projectRoot, stdio: "ignore" });
    children.push(child);
    const url = `http://127.0.0.1:${port}${target}`;
    await answers(url);
    return { processId: child.pid ?? 0, url };
  }
  return {
    bare: async () => {
      const [port = 0] = await freePorts(1);
      const argv = [process.execPath, resolve(import.meta.dirname, "bare.cjs"), String(port)];
      return start(argv, port, { processor: firstProcessor });
    },
    proxy: async (place) => {
      const [port = 0, lookPort = 0] = await freePorts(2);
      const config = writeConfiguration(folder, port, lookPort);
      return start([process.execPath, proxyProgram, "serve", "--config", config], port, place);
    },
    cluster: startCluster,
    nginx: async () => (isInPath("nginx") ? startNginx() : undefined),
    close: async () => {
      // Waits for all children, because nginx removes its own file from the folder when it ends.
      await Promise.all(children.map(ended));
      rmSync(folder, { recursive: true });
    },
  };

  async function startCluster(): Promise<{ readonly plain: Server; readonly decided: Server }> {
    const [port = 0, look = 0, auth = 0, authLook = 0] = await freePorts(4);
    const config = join(folder, "svc.yaml");
    writeFileSync(
      config,
      `svc: {data_dir: ${folder}/data}
auth_service: {cluster_name: bench, listen_addr: "127.0.0.1:${auth}", diag_addr: "127.0.0.1:${authLook}"}
proxy_service:
  public_addr: a.example
  web_listen_addr: 127.0.0.1:${port}
  diag_addr: 127.0.0.1:${look}
  automatic_upgrades_channels: {default: {static_version: v15.4.5}, plain: {static_version: v15.4.5}}
`,
    );
    const plain = await start([process.execPath, clusterProgram, "start", "-c", config], port, { processor: firstProcessor });
    writeFileSync(join(folder, "rollout.yaml"), rollout);
    runTool([process.execPath, clusterProgram, "tctl", "create", join(folder, "rollout.yaml"), "-c", config]);
    await answersByName(plain.url);
    return {
      plain: { ...plain, url: plain.url.replace("/default/", "/plain/") },
      decided: { ...plain, headers: [`x-svc-host: ${"0123456789abcdef".repeat(2)}`, "x-svc-installed: 15.4.5"] },
    };
  }

  async function startNginx(): Promise<Server> {
    const [port = 0, lookPort = 0] = await freePorts(2);
    const files = join(folder, "files");
    runTool([process.execPath, proxyProgram, "export", files, "--config", writeConfiguration(folder, port, lookPort)]);
    const config = join(folder, "nginx.conf");
    writeFileSync(config, nginxConfiguration(folder, files, port));
    const argv = ["nginx", "-p", folder, "-c", config, "-e", join(folder, "nginx.log")];
    return start(argv, port, { processor: firstProcessor });
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((end) => child.once("exit", end));
  if (child.exitCode === null && child.kill()) await gone;
}

function writeConfiguration(folder: string, port: number, lookPort: number): string {
  const path = join(folder, `${port}.yaml`);
  writeFileSync(
    path,
    `proxy_service: {public_addr: a.example, version: v15.4.6, web_listen_addr: "127.0.0.1:${port}", diag_addr: "127.0.0.1:${lookPort}"}\n`,
  );
  return path;
}

/** Gives nginx one process, and as little work as the others: no log, and connections that stay open. */
function nginxConfiguration(folder: string, files: string, port: number): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  return `daemon off; master_process off; pid ${folder}/nginx.pid; ${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000000; default_type text/plain; open_file_cache max=100;
  ${paths.join(" ")}
  server { listen 127.0.0.1:${port}; root ${files}; }
}
`;
}

/** Waits until the rollout decides what hosts are told. */
async function answersByName(url: string): Promise<void> {
  const untilMs = Date.now() + longestStartMs;
  while ((await fetch(url)).headers.get("x-svc-asks-host") !== "yes") {
    if (Date.now() > untilMs) throw new Error(`no rollout decides ${url}`);
    await new Promise((wait) => setTimeout(wait, 50));
  }
}

async function answers(url: string): Promise<void> {
  const untilMs = Date.now() + longestStartMs;
  for (;;) {
    try {
      if ((await fetch(url)).status === 200) return;
    } catch (cause) {
      // Tries again if the server does not listen yet.
      if (Date.now() > untilMs) throw new Error(`nothing answers at ${url}`, { cause });
    }
    await new Promise((wait) => setTimeout(wait, 50));
  }
}
