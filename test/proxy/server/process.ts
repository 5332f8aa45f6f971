import { spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../../machine/network/fixture/free-port.ts";

/** `svc-proxy serve` as a shell starts it: a process of its own, with the limits that are shipped. */
export type Serving = {
  readonly pid: number;
  readonly log: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<unknown>;
  /** Rejects with what it said where it ends instead. */
  readonly listening: () => Promise<void>;
  /** At once, whatever it is at. */
  readonly stop: () => Promise<unknown>;
};

export function serving(
  config: string,
  env: Readonly<Record<string, string>> = {},
  runs: readonly string[] = [process.execPath, "src/svc-proxy.ts"],
): Serving {
  const [program = "", ...before] = runs;
  const child = spawn(program, [...before, "serve", "--config", config], {
    cwd: join(import.meta.dirname, "../../.."),
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise((resolve) => child.once("exit", (status, signal) => resolve([status, signal])));
  return {
    pid: child.pid ?? 0,
    log: () => log,
    kill: (signal) => void child.kill(signal),
    ended,
    listening: () =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (/^serving /m.test(log)) resolve();
        };
        child.stderr.on("data", look);
        child.once("exit", () => reject(new Error(`svc-proxy ended:\n${log}`)));
        look();
      }),
    stop: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

/** For what has to be told its ports. */
export async function freePorts(): Promise<readonly [number, number]> {
  return [await freePort(), await freePort()];
}
