import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ClusterId } from "../../../src/cluster/identity/names.ts";
import { askAt } from "./ask.ts";
import { joinableAt, type Joinable } from "./hosts.ts";

/** Auth in a process of its own, so that what is done to it does not slow down who does it, and its memory is its own. */
export type AuthProcess = AsyncDisposable &
  Joinable & {
    readonly diagnosticsPort: number;
    /** What its process has of the machine's memory, in MiB: now, and the most it ever had. */
    readonly memory: () => { readonly now: number; readonly peak: number };
    /** Where its data lies, as this process sees it. */
    readonly directory: string;
    readonly log: () => string;
    readonly hasEnded: () => boolean;
  };

type Said = {
  readonly port: number;
  readonly diagnosticsPort: number;
  readonly socketPath: string;
  readonly cluster: ClusterId;
  readonly ca: string;
};

export const mayMount: boolean = process.geteuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;

/** In a mount namespace of its own, a file system of so many megabytes is mounted where it lies. */
const onSmallDisk = 'mount -t tmpfs -o "size=$1m,mode=700" tmpfs "$2" && shift && exec "$2" "$3" "$1"';

export async function startAuthProcess(disk: { readonly megabytes?: number } = {}): Promise<AuthProcess> {
  const directory = mkdtempSync(join(tmpdir(), "auth-process-"));
  const program = [process.execPath, join(import.meta.dirname, "auth-process.ts")];
  const [command = "", ...argv] =
    disk.megabytes === undefined
      ? [...program, directory]
      : ["unshare", "--mount", "sh", "-c", onSmallDisk, "sh", String(disk.megabytes), directory, ...program];
  const child = spawn(command, argv, { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  const line = once(createInterface(child.stdout), "line") as Promise<[string]>;
  const first = await Promise.race([line, ended.then(() => undefined)]);
  if (first === undefined) {
    await stop();
    throw new Error(`auth ended:\n${log}`);
  }
  const said = JSON.parse(first[0]) as Said;
  // Whatever is mounted there, it is reached through the process.
  const root = `/proc/${child.pid}/root`;
  const ask = askAt(`${root}${said.socketPath}`);
  return {
    ...joinableAt({ ...said, ask }),
    diagnosticsPort: said.diagnosticsPort,
    memory: () => {
      const told = readFileSync(`/proc/${child.pid}/status`, "utf8");
      const mib = (key: string): number => Math.round(Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(told)?.[1]) / 1024);
      return { now: mib("VmRSS"), peak: mib("VmHWM") };
    },
    directory: `${root}${directory}`,
    log: () => log,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    [Symbol.asyncDispose]: stop,
  };
}
