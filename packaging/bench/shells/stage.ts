import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parsePin } from "../../../src/cluster/identity/pin.ts";
import { certificateFor } from "../../../test/demo/cluster/certificate.ts";
import { certifyHost, login, makeHostKey, shellRole, startSshd } from "../../../test/demo/cluster/shell.ts";
import { freePorts } from "../../free-ports.ts";
import { executablePath, nativeArchitecture, projectRoot } from "../../project.ts";
import { runTool } from "../../tool.ts";
import type { TunnelsGiven } from "./tunnels.ts";

type Argv = readonly [string, ...string[]];
export type Node = { readonly id: string; readonly processId: number };

export type Stage = {
  readonly programName: string;
  readonly folder: string;
  /** The environment of people's programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly proxyPort: number;
  readonly caFile: string;
  readonly sshdPort: number;
  /** A host with an sshd, and a host whose sshd listens at `sourcePort`. */
  readonly web: Node;
  readonly source: Node;
  /** A host without tunnels. */
  readonly plain: Node;
  readonly tsh: (...words: readonly string[]) => Argv;
  /** The ssh command without a proxy, to this port. */
  readonly ssh: (port: number, command: string) => Argv;
  readonly proxyId: () => number;
  readonly restartProxy: () => Promise<{ readonly stoppedMs: number; readonly readyMs: number }>;
  /** Puts a network with that delay in each direction before this port. Returns its own port. */
  readonly delayed: (delayMs: number, port: number) => Promise<number>;
  /** Puts such a network between hosts and the proxy, and makes the hosts dial their tunnels again. */
  readonly delayTunnels: (delayMs: number) => Promise<void>;
  /** Joins that many hosts and keeps their tunnels. `opened` has the Server ID of each host whose tunnel has opened, with the time. */
  readonly startTunnels: (hosts: number, sshdPort: number) => Tunnels;
  readonly close: () => Promise<void>;
};

export type Tunnels = { readonly opened: Map<string, number>; readonly stop: () => Promise<void> };

const longestStartMs = 30_000;
const reportSeconds = 10;
const here = "127.0.0.1";
const answers = "correct horse battery staple\n\n";

export async function openStage(sourcePort: number): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const at = (name: string): string => join(folder, name);
  const [auth = 0, authLook = 0, web = 0, webLook = 0, named = 0, sshd = 0] = await freePorts(6);
  const built = executablePath(nativeArchitecture, "svc");
  const isBuilt = existsSync(built);
  const program: Argv = isBuilt ? [built] : [process.execPath, resolve(projectRoot, "src/svc.ts")];
  const [file, ...before] = program;
  const env = { HOME: at("home"), NODE_COMPILE_CACHE: at("compiled") };
  const children = new Set<ChildProcess>();
  const closing = async (): Promise<void> => {
    await Promise.all([...children].map((child) => ended(child)));
    rmSync(folder, { recursive: true, force: true });
  };

  function start([command, ...words]: Argv, stdout: "ignore" | "pipe" = "ignore"): ChildProcess {
    const child = spawn(command, words, { stdio: ["ignore", stdout, "inherit"], env: { ...process.env, ...env } });
    children.add(child);
    return child;
  }
  const svc = (...words: readonly string[]): Argv => [file, ...before, ...words];
  const tsh = (...words: readonly string[]): Argv => svc("tsh", ...words);
  const tctl = (...words: readonly string[]): string => runTool(svc("tctl", ...words, "-c", at("auth.yaml")));
  const person = (...words: readonly string[]): string =>
    runTool(["env", `HOME=${env.HOME}`, ...tsh(...words, "--password-file", at("answers"))]);

  function joined(name: string, kind: "node" | "proxy", configuration: string): string {
    writeFileSync(
      at(`${name}.yaml`),
      `svc: {data_dir: ${at(name)}, updater_root: ${at("root")}, nodename: ${name}}\n${configuration}`,
    );
    mkdirSync(at(name), { mode: 0o700 });
    const token = at(`token-${kind}`);
    if (!existsSync(token)) tctl("tokens", "add", `--type=${kind}`, `--out=${token}`);
    const where = ["--auth-server", `${here}:${auth}`, "--token", token, "--ca-pin", pin()];
    return (JSON.parse(runTool(svc("join", "-c", at(`${name}.yaml`), ...where, "--json"))) as { readonly instance: string })
      .instance;
  }
  const pin = (): string =>
    (JSON.parse(tctl("status", "--format", "json")) as { readonly ca_pins: readonly string[] }).ca_pins[0] ?? "";
  const begin = (name: string): ChildProcess => start(svc("start", "-c", at(`${name}.yaml`), "--log-level", "error"));

  function node(name: string, sshdPort?: number): Node {
    const id = joined(
      name,
      "node",
      sshdPort === undefined ? "" : `ssh_service: {enabled: yes, sshd_addr: "${here}:${sshdPort}"}\n`,
    );
    return { id, processId: begin(name).pid ?? 0 };
  }

  async function delayed(
    delayMs: number,
    to: number,
    from?: number,
  ): Promise<{ readonly port: number; readonly child: ChildProcess }> {
    const port = from ?? (await freePorts(1))[0] ?? 0;
    const child = start([process.execPath, resolve(import.meta.dirname, "delay.ts"), ...[delayMs, port, to].map(String)]);
    await until(() => Promise.resolve(isListening(port)), "the delayed network does not listen");
    return { port, child };
  }

  async function ready(port: number): Promise<void> {
    await until(async () => (await fetch(`http://${here}:${port}/readyz`)).status === 200, "svc was not ready");
  }

  try {
    for (const name of ["home", "root"]) mkdirSync(at(name), { mode: 0o700 });
    writeFileSync(at("answers"), answers, { mode: 0o600 });
    const { certificate, privateKey } = await certificateFor(here);
    writeFileSync(at("proxy.crt"), certificate);
    writeFileSync(at("proxy.key"), privateKey, { mode: 0o600 });
    writeFileSync(
      at("auth.yaml"),
      `svc: {data_dir: ${at("auth")}}
auth_service: {cluster_name: example, listen_addr: ${here}:${auth}, diag_addr: ${here}:${authLook}, second_factor: off, report_interval: ${reportSeconds}s}
`,
    );
    begin("auth");
    await ready(authLook);
    joined(
      "proxy",
      "proxy",
      `proxy_service:
  public_addr: ${here}:${named}
  web_listen_addr: ${here}:${web}
  diag_addr: ${here}:${webLook}
  version: v15.4.6
  https_keypairs: [{key_file: ${at("proxy.key")}, cert_file: ${at("proxy.crt")}}]
`,
    );
    let proxy = begin("proxy");
    await ready(webLook);
    let network = (await delayed(0, web, named)).child;
    const hosts = { web: node("web", sshd), source: node("source", sourcePort), plain: node("plain") };
    const host = await certifyHost(at("web"), makeHostKey(folder));
    const serverId = hosts.web.id;
    children.add(
      startSshd({ scratch: folder, port: sshd, serverId, certificate: host.certificate, authorities: host.userAuthorities }),
    );
    writeFileSync(at("role.yaml"), shellRole);
    tctl("create", at("role.yaml"));
    const added = tctl("users", "add", "bench", "--roles=shells", `--proxy=${here}:${web}`, "--format", "json");
    const { invitation } = JSON.parse(added) as { readonly invitation: { readonly link: string } };
    person("invite", invitation.link, "--ca-file", at("proxy.crt"));
    person("login", `--proxy=${here}:${web}`, "--user=bench", "--ca-file", at("proxy.crt"));

    const isReached = async (): Promise<void> => {
      const [command, ...words] = tsh("ssh", `${login}@${serverId}`, "--", "true");
      await until(
        async () => (await ended(spawn(command, words, { stdio: "ignore", env: { ...process.env, ...env } }), "let")) === 0,
        "nobody reaches the host",
      );
    };
    await isReached();
    return {
      ...hosts,
      programName: isBuilt ? built.slice(projectRoot.length + 1) : "the source, by the runtime that is shipped",
      folder,
      env,
      proxyPort: web,
      caFile: at("proxy.crt"),
      sshdPort: sshd,
      tsh,
      ssh: (port, command) => {
        const target = `${login}@${serverId}`;
        runTool(["env", `HOME=${env.HOME}`, ...tsh("proxy", "certify", `--proxy=${here}:${web}`, target)]);
        const kept = join(env.HOME, ".svc/ssh", target);
        const options = [
          `CertificateFile=${kept}/key-cert.pub`,
          "IdentitiesOnly=yes",
          "StrictHostKeyChecking=yes",
          `UserKnownHostsFile=${kept}/known_hosts`,
          "GlobalKnownHostsFile=none",
          `HostKeyAlias=${serverId}`,
          "PreferredAuthentications=publickey",
        ].flatMap((option) => ["-o", option]);
        return ["ssh", "-F", "none", "-i", `${kept}/key`, ...options, "-l", login, "-p", String(port), here, command];
      },
      proxyId: () => proxy.pid ?? 0,
      restartProxy: async () => {
        const stoppedMs = performance.now();
        await ended(proxy);
        proxy = begin("proxy");
        await ready(webLook);
        return { stoppedMs, readyMs: performance.now() };
      },
      delayed: async (delayMs, port) => (await delayed(delayMs, port)).port,
      delayTunnels: async (delayMs) => {
        await ended(network);
        network = (await delayed(delayMs, web, named)).child;
        await isReached();
      },
      startTunnels: (count, sshdPort) => {
        const parsed = parsePin(pin());
        if (parsed === undefined) throw new Error("the cluster has no pin");
        const given: TunnelsGiven = {
          folder: at("root"),
          tokenFile: at("token-node"),
          pin: parsed,
          port: auth,
          hosts: count,
          proxy: { host: here, port: web },
          sshd: { host: here, port: sshdPort },
        };
        writeFileSync(at("tunnels.json"), JSON.stringify(given), { mode: 0o600 });
        const child = start([process.execPath, resolve(import.meta.dirname, "tunnels.ts"), at("tunnels.json")], "pipe");
        const opened = new Map<string, number>();
        let rest = "";
        child.stdout?.setEncoding("utf8").on("data", (text: string) => {
          const lines = `${rest}${text}`.split("\n");
          rest = lines.pop() ?? "";
          for (const id of lines) opened.set(id, performance.now());
        });
        return { opened, stop: async () => void (await ended(child)) };
      },
      close: closing,
    };
  } catch (thrown) {
    await closing();
    throw thrown;
  }
}

/** Whether a program listens at the port. Asks the kernel's table, because the slow network would accept a connection in any case. */
function isListening(port: number): boolean {
  const wanted = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")} 00000000:0000 0A`;
  return readFileSync("/proc/net/tcp", "utf8").includes(wanted);
}

export async function until(isSo: () => Promise<boolean>, otherwise: string, longestMs = longestStartMs): Promise<void> {
  const endMs = performance.now() + longestMs;
  for (;;) {
    if (await isSo().catch(() => false)) return;
    if (performance.now() > endMs) throw new Error(`${otherwise} within ${longestMs / 1000} seconds`);
    await sleep(20);
  }
}

/** The child's exit status, after it was stopped or has ended by itself. */
async function ended(child: ChildProcess, how: "stop" | "let" = "stop"): Promise<number | null> {
  const gone = new Promise((end) => child.once("exit", end));
  if (child.exitCode === null && child.signalCode === null && (how === "let" || child.kill())) await gone;
  return child.exitCode;
}
