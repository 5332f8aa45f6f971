import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runBeside, settleBeside, type Settled } from "./beside.ts";
import type { Host } from "./host.ts";
import { mustRun } from "./program.ts";
import type { Certificate } from "./server.ts";

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
  const { directory, port } = await settleBeside(host, "squid", options.outerTest);
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
  const { directory, port } = await settleBeside(host, "tinyproxy", options.outerTest);
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

async function run(host: Host, program: Settled & { readonly argv: readonly string[] }): Promise<Omit<LabProxy, "requests">> {
  const goDown = await runBeside(host, program);
  const log = (): Promise<string> => readFile(join(program.directory, "log"), "utf8").catch(() => "");
  return { port: program.port, goDown, log };
}
