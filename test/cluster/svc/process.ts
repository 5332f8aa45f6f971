import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Ended = { readonly status: number | null; readonly out: string; readonly error: string };

const program = join(import.meta.dirname, "../../../src/svc.ts");

/** The program as it is typed, by whichever of its names. */
export function typed(...words: readonly string[]): Promise<Ended> {
  return typedIn({}, ...words);
}

export async function typedIn(environment: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ended> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, error] = ["", ""];
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (error += text));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, out, error };
}

export type Place = Disposable & { readonly directory: string; readonly config: string; readonly write: (text: string) => void };

/** A scratch folder with a configuration in it. */
export function place(text: string): Place {
  const directory = mkdtempSync(join(tmpdir(), "svc-"));
  const config = join(directory, "svc.yaml");
  const write = (next: string): void => writeFileSync(config, next.replaceAll("DIR", directory));
  write(text);
  return { directory, config, write, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

export type Service = AsyncDisposable & {
  readonly log: () => string;
  /** Waits until the log says it. */
  readonly said: (what: string | RegExp) => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
};

export async function service(config: string, ...more: readonly string[]): Promise<Service> {
  const child = spawn(process.execPath, [program, "start", "-c", config, ...more], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (text) => (log += text));
  let hasEnded = false;
  const ended = once(child, "close").then(([status]) => {
    hasEnded = true;
    return status as number | null;
  });
  const said = async (what: string | RegExp): Promise<void> => {
    const isThere = (): boolean => (typeof what === "string" ? log.includes(what) : what.test(log));
    while (!isThere()) {
      if (hasEnded) throw new Error(`it never said ${what}:\n${log}`);
      await Promise.race([once(child.stderr, "data"), ended]);
    }
  };
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  try {
    await said("serving");
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return { log: () => log, said, ended, kill: (signal) => void child.kill(signal), [Symbol.asyncDispose]: stop };
}

/** One that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export function textOf(path: string): string {
  return readFileSync(path, "utf8");
}
