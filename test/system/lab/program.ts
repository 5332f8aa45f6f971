import { spawn } from "node:child_process";
import { open } from "node:fs/promises";

export type Input = string | Uint8Array | { readonly file: string };

export type ProgramOptions = {
  readonly input?: Input;
  /** Replaces the environment; without it the child has a small fixed one. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
};

export type ProgramResult = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Long enough for any step on a slow runner, short enough that a hang fails its own scenario. */
const usualTimeoutMs = 120_000;

/** Secrets, locale and proxies of whoever runs the tests stay outside. */
const fixedEnvironment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" };

/** Runs a program of the machine to its end. Never synchronous: this process also serves what the program may ask for. */
export async function runProgram(argv: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  const { input } = options;
  const file = typeof input === "object" && "file" in input ? await open(input.file) : undefined;
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(argv[0] ?? "", argv.slice(1), {
        env: options.env ?? fixedEnvironment,
        stdio: [file === undefined ? "pipe" : file.fd, "pipe", "pipe"],
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      });
      const timeoutMs = options.timeoutMs ?? usualTimeoutMs;
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        reject(new Error(`${argv.join(" ")}: no end after ${timeoutMs} ms`));
      }, timeoutMs);
      const stdout: Buffer[] = [];
      const stderr: Buffer[] = [];
      child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
      child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
      child.on("error", (cause) => {
        clearTimeout(timer);
        reject(new Error(`${argv[0]}: could not be started`, { cause }));
      });
      child.on("close", (status, signal) => {
        clearTimeout(timer);
        const told = { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
        if (status === null) reject(new Error(`${argv.join(" ")}: killed by ${signal}\n${told.stderr}`));
        else resolve({ status, ...told });
      });
      // A program may end without reading its input: that is its right, and its status tells.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(typeof input === "string" || input instanceof Uint8Array ? input : "");
    });
  } finally {
    await file?.close();
  }
}

/** Runs a program that has to succeed; its standard output is the answer. */
export async function mustRun(argv: readonly string[], options: ProgramOptions = {}): Promise<string> {
  const { status, stdout, stderr } = await runProgram(argv, options);
  if (status !== 0) throw new Error(`${argv.join(" ")}: exit ${status}\n${stdout}${stderr}`);
  return stdout;
}
