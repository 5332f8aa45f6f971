import { spawn } from "node:child_process";
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

export async function startAuthProcess(): Promise<AuthProcess> {
  const directory = mkdtempSync(join(tmpdir(), "auth-process-"));
  const child = spawn(process.execPath, [join(import.meta.dirname, "auth-process.ts"), directory], {
    stdio: ["ignore", "pipe", "pipe"],
  });
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
  const ask = askAt(said.socketPath);
  return {
    ...joinableAt({ ...said, ask }),
    diagnosticsPort: said.diagnosticsPort,
    memory: () => {
      const told = readFileSync(`/proc/${child.pid}/status`, "utf8");
      const mib = (key: string): number => Math.round(Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(told)?.[1]) / 1024);
      return { now: mib("VmRSS"), peak: mib("VmHWM") };
    },
    log: () => log,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    [Symbol.asyncDispose]: stop,
  };
}
