import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { executablePath, nativeArchitecture } from "../../../packaging/project.ts";
import { freePort } from "../../machine/network/fixture/free-port.ts";
import type { Host } from "../lab/host.ts";
import { runProgram, type ProgramResult } from "../lab/program.ts";
import type { Certificate } from "../lab/server.ts";
import { until } from "../lab/until.ts";
import { clusterFile } from "./on-host.ts";

/** svc-proxy as a process of this machine, beside a host: the executable that is in the package. */
export type Instance = {
  readonly port: number;
  /** Of its diagnostics. */
  readonly lookPort: number;
  /** Other channels, as YAML; returns once they are served. */
  readonly reload: (channels: string) => Promise<void>;
  /** What `svc-proxy` says of its configuration. */
  readonly command: (...words: readonly string[]) => Promise<ProgramResult>;
  /** With SIGKILL at once and without a word, as a power cut ends it; the port is closed when this returns. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<void>;
  /** Again, on the same port. */
  readonly start: () => Promise<void>;
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
  const [port, lookPort] = [await freePort(loopback), await freePort(loopback)];
  const pair = certificate === undefined ? [] : [`https_keypairs: [{key_file: ${at("key")}, cert_file: ${at("cert")}}]`];
  await writeFile(at("key"), certificate?.key ?? "");
  await writeFile(at("cert"), certificate?.cert ?? "");
  const configure = (its: string): Promise<void> =>
    writeFile(
      at("svc.yaml"),
      clusterFile(
        `web_listen_addr: ${loopback}:${port}`,
        `diag_addr: ${loopback}:${lookPort}`,
        ...pair,
        "version: v15.4.5",
        `automatic_upgrades_channels: ${its}`,
      ),
    );
  await configure(channels);
  const program = executablePath(nativeArchitecture, "svc-proxy");
  const config = at("svc.yaml");
  let child: ChildProcess | undefined;
  /** Waits for a line that was not there before. */
  async function saying(line: string, act: () => void): Promise<void> {
    const log = (): Promise<string> => readFile(at("output"), "utf8").catch(() => "");
    const before = (await log()).length;
    act();
    await until(`${name} says "${line}"`, longestStartMs, async () => {
      const said = (await log()).slice(before);
      if (child?.exitCode !== null) throw new Error(`${name} ended:\n${said}`);
      return said.includes(line) ? true : undefined;
    });
  }
  async function start(): Promise<void> {
    const output = await open(at("output"), "a");
    await saying("serving address=", () => {
      child = spawn(program, ["serve", "--config", config], { env: {}, stdio: ["ignore", output.fd, output.fd] });
    });
    await output.close();
  }
  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
  host.atStop(() => end("SIGKILL"));
  await start();
  return {
    port,
    lookPort,
    reload: async (its) => {
      await configure(its);
      await saying("were read again", () => void child?.kill("SIGHUP"));
    },
    command: (...words) => runProgram([program, ...words, "--config", config]),
    start,
    end,
  };
}
