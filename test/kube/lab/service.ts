import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./parts.ts";

export type Service = {
  /** Resolves when it ends, with the last lines of its log. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
};

const lastLines = 15;

/** Starts a program, with its log in that folder. The kernel kills it when this process ends; the terminal's Ctrl-C does not reach it. */
export function startService(programs: string, folder: string, { program, argv }: Part): Service {
  const path = join(folder, `${program}.log`);
  const log = openSync(path, "a");
  const child = spawn("setpriv", ["--pdeathsig", "KILL", join(programs, program), ...argv], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const isOver = once(child, "close");
  return {
    ended: isOver.then(async () => {
      const lines = (await readFile(path, "utf8").catch(() => "")).trimEnd().split("\n");
      return [`${program} ended:`, ...lines.slice(-lastLines)].join("\n");
    }),
    signal: (signal) => void child.kill(signal),
    async stop() {
      // After SIGTERM the API server waits up to a minute for open watches.
      child.kill("SIGKILL");
      await isOver;
    },
  };
}
