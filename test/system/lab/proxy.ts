import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import type { Host } from "./host.ts";
import { mustRun } from "./program.ts";
import type { Certificate } from "./server.ts";
import { until } from "./until.ts";

export type Credentials = { readonly user: string; readonly password: string };

export type ProxyOptions = {
  readonly credentials: Credentials;
  /** With it the proxy itself speaks TLS; squid alone can. */
  readonly certificate?: Certificate;
  /** The one port that CONNECT may go to; squid alone can be told so here. */
  readonly onlyPort?: number;
  /** What the proxy takes outer.test for; unless said, this machine's loopback, which no host reaches. */
  readonly outerTest?: string;
};

export type LabProxy = {
  readonly port: number;
  /** What was asked for, as the proxy's own log has it: "CONNECT outer.test:443". The oldest first. */
  readonly requests: () => Promise<readonly string[]>;
  /** All that it wrote. */
  readonly log: () => Promise<string>;
  readonly goDown: () => Promise<void>;
};

/** The name by which hosts know their proxy; the only one they can resolve. */
export const proxyName = "proxy.test";

/** A real proxy on the outer end of a host's network. */
export type StartProxy = (host: Host, options: ProxyOptions) => Promise<LabProxy>;

/** Squid asks a helper of its own whether user and password are right. */
export async function startSquid(host: Host, options: ProxyOptions): Promise<LabProxy> {
  const { credentials, certificate, onlyPort } = options;
  const { directory, port } = await settle(host, "squid", options);
  const at = (file: string): string => join(directory, file);
  const hash = await mustRun(["openssl", "passwd", "-apr1", "-stdin"], { input: `${credentials.password}\n` });
  await writeFile(at("users"), `${credentials.user}:${hash}`);
  let listening = `http_port ${host.network.outerAddress}:${port}`;
  if (certificate !== undefined) {
    await writeFile(at("proxy.pem"), certificate.cert);
    await writeFile(at("proxy.key"), certificate.key);
    listening = `https_port ${host.network.outerAddress}:${port} tls-cert=${at("proxy.pem")} tls-key=${at("proxy.key")}`;
  }
  const lines = [
    listening,
    `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${at("users")}`,
    "auth_param basic realm lab",
    ...(onlyPort === undefined
      ? []
      : [`acl open port ${onlyPort}`, "acl CONNECT method CONNECT", "http_access deny CONNECT !open"]),
    "acl known proxy_auth REQUIRED",
    "http_access allow known",
    "http_access deny all",
    `hosts_file ${at("hosts")}`,
    // Nobody answers there: what the file does not name stays unknown, and nothing leaves the machine.
    "dns_nameservers 127.0.0.1",
    "logformat lab %rm %ru %>Hs",
    `access_log stdio:${at("log")} lab`,
    `cache_log ${at("cache.log")}`,
    "cache deny all",
    "pid_filename none",
    `coredump_dir ${directory}`,
    "shutdown_lifetime 0 seconds",
    "visible_hostname lab",
    "pinger_enable off",
  ];
  await writeFile(at("conf"), `${lines.join("\n")}\n`);
  const proxy = await run(host, { directory, port, argv: ["squid", "-N", "-f", at("conf")] });
  return { ...proxy, requests: async () => (await proxy.log()).split("\n").flatMap((line) => line.match(/^[A-Z]+ \S+/) ?? []) };
}

/** Tinyproxy compares user and password itself, and resolves as its namespace does. */
export async function startTinyproxy(host: Host, options: ProxyOptions): Promise<LabProxy> {
  const { credentials, certificate } = options;
  if (certificate !== undefined) throw new Error("tinyproxy does not speak TLS to its clients");
  const { directory, port } = await settle(host, "tinyproxy", options);
  const lines = [
    `Port ${port}`,
    `Listen ${host.network.outerAddress}`,
    "Timeout 60",
    "MaxClients 20",
    `LogFile "${join(directory, "log")}"`,
    "LogLevel Connect",
    `BasicAuth ${credentials.user} ${credentials.password}`,
  ];
  await writeFile(join(directory, "conf"), `${lines.join("\n")}\n`);
  const proxy = await run(host, { directory, port, argv: ["tinyproxy", "-d", "-c", join(directory, "conf")] });
  const asked = /Request \(file descriptor \d+\): ([A-Z]+ \S+)/;
  return { ...proxy, requests: async () => (await proxy.log()).split("\n").flatMap((line) => asked.exec(line)?.[1] ?? []) };
}

type Settled = { readonly directory: string; readonly port: number };

async function settle(host: Host, name: string, { outerTest = "127.0.0.1" }: ProxyOptions): Promise<Settled> {
  const port = await freePort(host.network.outerAddress);
  const directory = join(host.directory, `${name}-${port}`);
  await mkdir(directory);
  // Both give up being root before they open their logs.
  await chmod(directory, 0o777);
  await writeFile(join(directory, "hosts"), `127.0.0.1 localhost\n${outerTest} outer.test\n`);
  return { directory, port };
}

/** Both are usually up within a tenth of a second. */
const longestStartMs = 15_000;

/** In namespaces of its own: other names than the machine's, and a helper or a child that outlives nobody. */
async function run(
  host: Host,
  { directory, port, argv }: Settled & { readonly argv: readonly string[] },
): Promise<Omit<LabProxy, "requests">> {
  // The shell stays, as the namespace's first process: with it everything in there ends. (A proxy that gives up being root is
  // no longer bound to the life of its parent.)
  // Squid shares memory by fixed names: what another one left on the machine, as another user, would keep it from starting.
  const inside = 'mount --bind "$1" /etc/hosts && mount -t tmpfs shm /dev/shm && shift && "$@"; exit $?';
  const output = await open(join(directory, "output"), "w");
  const child = spawn(
    "unshare",
    ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, "inside", join(directory, "hosts"), ...argv],
    // Nor can it go on in a checkout that only its owner may enter.
    { cwd: "/", stdio: ["ignore", output.fd, output.fd], env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } },
  );
  await output.close();
  const ended = once(child, "exit");
  const goDown = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    // Killing the namespace's first process is quick, but not at once: down means that the port is closed.
    await until("the proxy to be down", longestStartMs, async () => ((await accepts(host, port)) ? undefined : true));
  };
  host.atStop(goDown);
  await until(`${argv[0]} to listen`, longestStartMs, async () => {
    if (child.exitCode !== null) throw new Error(`${argv[0]} ended:\n${await readFile(join(directory, "output"), "utf8")}`);
    return (await accepts(host, port)) ? true : undefined;
  });
  return { port, goDown, log: () => readFile(join(directory, "log"), "utf8").catch(() => "") };
}

function accepts(host: Host, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host.network.outerAddress);
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
