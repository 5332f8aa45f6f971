import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { executablePath, nativeArchitecture } from "../../../packaging/project.ts";
import { freePort } from "../lab/free-port.ts";
import type { Host } from "../lab/host.ts";
import { runProgram, type ProgramResult } from "../lab/program.ts";
import type { Certificate } from "../lab/server.ts";
import { until } from "../lab/until.ts";
import { clusterFile } from "./on-host.ts";

/** svc-proxy as a process of this machine, beside a host: the executable that is in the package. */
export type Instance = {
  readonly port: number;
  readonly config: string;
  /** Other channels, as YAML; returns once they are served. */
  readonly reload: (channels: string) => Promise<void>;
  /** What `svc-proxy` says of its configuration. */
  readonly command: (...words: readonly string[]) => Promise<ProgramResult>;
  readonly log: () => Promise<string>;
  /** At once and without a word, as a power cut ends it; the port is closed then. */
  readonly die: () => Promise<void>;
};

export type InstanceOptions = {
  readonly name: string;
  readonly channels: string;
  readonly certificate?: Certificate;
};

const loopback = "127.0.0.1";
const longestStartMs = 30_000;

/** On this machine's loopback, which no host reaches but through what stands before it. It ends with the host. */
export async function startInstance(host: Host, { name, channels, certificate }: InstanceOptions): Promise<Instance> {
  const directory = join(host.directory, name);
  await mkdir(directory);
  const at = (file: string): string => join(directory, file);
  const [port, diagnostics] = [await freePort(loopback), await freePort(loopback)];
  const pair = certificate === undefined ? [] : [`https_keypairs: [{key_file: ${at("key")}, cert_file: ${at("cert")}}]`];
  await writeFile(at("key"), certificate?.key ?? "");
  await writeFile(at("cert"), certificate?.cert ?? "");
  const configure = (its: string): Promise<void> =>
    writeFile(
      at("svc.yaml"),
      clusterFile(
        `web_listen_addr: ${loopback}:${port}`,
        `diag_addr: ${loopback}:${diagnostics}`,
        ...pair,
        "version: v15.4.5",
        `automatic_upgrades_channels: ${its}`,
      ),
    );
  await configure(channels);
  const program = executablePath(nativeArchitecture, "svc-proxy");
  const output = await open(at("output"), "a");
  const child = spawn(program, ["serve", "--config", at("svc.yaml")], { env: {}, stdio: ["ignore", output.fd, output.fd] });
  await output.close();
  const ended = once(child, "exit");
  const die = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  host.atStop(die);
  const log = (): Promise<string> => readFile(at("output"), "utf8");
  const told = (line: string, times: number): Promise<true> =>
    until(`${name} says "${line}"`, longestStartMs, async () => {
      const said = await log();
      if (child.exitCode !== null) throw new Error(`${name} ended:\n${said}`);
      return said.split(line).length > times ? true : undefined;
    });
  await told("serving address=", 1);
  let reloads = 0;
  return {
    port,
    config: at("svc.yaml"),
    reload: async (its) => {
      await configure(its);
      child.kill("SIGHUP");
      await told("were read again", (reloads += 1));
    },
    command: (...words) => runProgram([program, ...words, "--config", at("svc.yaml")]),
    log,
    die,
  };
}
