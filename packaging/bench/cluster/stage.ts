import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parsePin, type Pin } from "../../../src/cluster/identity/pin.ts";
import { freePorts } from "../../free-ports.ts";
import { executablePath, nativeArchitecture, projectRoot } from "../../project.ts";
import { runTool } from "../../tool.ts";
import { processorTimeOf } from "../processor-time.ts";
import { bareIdentities, joinAsNode, type Shown } from "./identities.ts";

/** A server of mutual TLS, and what its clients need. */
export type Served = { readonly processId: number; readonly port: number; readonly clients: readonly [Shown, ...Shown[]] };

export type Stage = {
  /** The beginning of a command line, before the words of `svc` or `tctl`. */
  readonly program: readonly [string, ...string[]];
  readonly programName: string;
  readonly folder: string;
  readonly config: string;
  readonly socketPath: string;
  /** Runs `tctl` as root, and returns its answer. */
  readonly tctl: (...words: readonly string[]) => string;
  /** Starts auth. Returns the milliseconds until it says that it is ready, and how many of them it used a processor. */
  readonly startAuth: () => Promise<{ readonly readyMs: number; readonly processorMs: number; readonly processId: number }>;
  readonly stopAuth: () => Promise<void>;
  /** What a host needs to join. */
  readonly joining: () => { readonly port: number; readonly tokenFile: string; readonly pin: Pin };
  /** Starts a program on the servers' processor. It runs until the stage is closed. */
  readonly start: (argv: readonly [string, ...string[]]) => ChildProcess;
  /** The running auth, and hosts that have joined. */
  readonly auth: () => Promise<Served>;
  readonly bare: (writes: "nothing" | "each-call") => Promise<Served>;
  readonly close: () => Promise<void>;
};

const serversProcessor = "0";
/** How often hosts report, at most. */
export const reportSeconds = 10;
/** How many hosts call in turn, each with its own session. */
const hosts = 64;
const joinsAtOnce = 16;
const longestStartMs = 20_000;
const lookAgainMs = 2;

/** `storage`: the lines below auth_service that name a database. */
export async function openStage(storage: string = ""): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const [authPort = 0, lookPort = 0] = await freePorts(2);
  const config = join(folder, "svc.yaml");
  writeFileSync(
    config,
    `svc: {data_dir: ${folder}/data}
auth_service: {cluster_name: example, report_interval: ${reportSeconds}s, listen_addr: 127.0.0.1:${authPort}, diag_addr: 127.0.0.1:${lookPort}${storage}}
`,
  );
  const built = executablePath(nativeArchitecture, "svc");
  const isBuilt = existsSync(built);
  const program: Stage["program"] = isBuilt ? [built] : [process.execPath, resolve(projectRoot, "src/svc.ts")];
  const children = new Set<ChildProcess>();
  let running: ChildProcess | undefined;

  function start(argv: readonly [string, ...string[]]): ChildProcess {
    const [command, ...words] = argv;
    const child = spawn("taskset", ["-c", serversProcessor, command, ...words], { stdio: ["ignore", "ignore", "inherit"] });
    children.add(child);
    return child;
  }

  function tctl(...more: readonly string[]): string {
    const [file, ...words] = program;
    return runTool([file, ...words, "tctl", ...more, "-c", config]);
  }

  function joining(): ReturnType<Stage["joining"]> {
    const tokenFile = join(folder, "token");
    if (!existsSync(tokenFile)) tctl("tokens", "add", "--type=node", `--out=${tokenFile}`);
    const { ca_pins: pins } = JSON.parse(tctl("status", "--format", "json")) as { readonly ca_pins: readonly string[] };
    const pin = parsePin(pins[0] ?? "");
    if (pin === undefined) throw new Error("the cluster has no pin");
    return { port: authPort, tokenFile, pin };
  }

  return {
    program,
    programName: isBuilt ? built.slice(projectRoot.length + 1) : "the source, by the runtime that is shipped",
    folder,
    config,
    tctl,
    socketPath: join(folder, "data/root/auth.sock"),
    startAuth: async () => {
      const beganMs = performance.now();
      running = start([...program, "start", "-c", config, "--log-level", "error"]);
      await until(async () => (await fetch(`http://127.0.0.1:${lookPort}/readyz`)).status === 200, "auth was not ready");
      const readyMs = performance.now() - beganMs;
      const processId = running.pid ?? 0;
      return { readyMs, processorMs: processorTimeOf(processId) / 1000, processId };
    },
    stopAuth: async () => {
      if (running !== undefined) await ended(running);
    },
    joining,
    start,
    auth: async () => {
      const { tokenFile, pin } = joining();
      const joined = async (host: number): Promise<Shown> => {
        const nodeFolder = join(folder, `node-${host}`);
        mkdirSync(nodeFolder, { mode: 0o700 });
        return joinAsNode(authPort, { folder: nodeFolder, tokenFile, pin });
      };
      const first = await joined(0);
      const others: Shown[] = [];
      // Joins some at a time, because auth takes 32 at once.
      while (others.length < hosts - 1) {
        const some = Math.min(joinsAtOnce, hosts - 1 - others.length);
        const from = others.length + 1;
        others.push(...(await Promise.all(Array.from({ length: some }, (_, index) => joined(from + index)))));
      }
      return { processId: running?.pid ?? 0, port: authPort, clients: [first, ...others] };
    },
    bare: async (writes) => {
      const [port = 0] = await freePorts(1);
      const { server, client } = await bareIdentities();
      const told = join(folder, `bare-${port}.json`);
      const store = writes === "nothing" ? {} : { store: join(folder, `bare-${port}.db`) };
      writeFileSync(told, JSON.stringify({ port, ...server, ...store }), { mode: 0o600 });
      const child = start([process.execPath, resolve(import.meta.dirname, "bare.cjs"), told]);
      await until(() => Promise.resolve(isListening(port)), "the bare server does not listen");
      return { processId: child.pid ?? 0, port, clients: [client, ...Array.from({ length: hosts - 1 }, () => client)] };
    },
    close: async () => {
      await Promise.all([...children].map(ended));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a program listens at the port. Asks the kernel's table, because a connection would begin a handshake. */
function isListening(port: number): boolean {
  const wanted = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")} 00000000:0000 0A`;
  return readFileSync("/proc/net/tcp", "utf8").includes(wanted);
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const endMs = performance.now() + longestStartMs;
  for (;;) {
    if (await isSo().catch(() => false)) return;
    if (performance.now() > endMs) throw new Error(`${otherwise} within ${longestStartMs / 1000} seconds`);
    await sleep(lookAgainMs);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((end) => child.once("exit", end));
  if (child.exitCode === null && child.signalCode === null && child.kill()) await gone;
}

/** The current commit, marked if files were changed since. Undefined without git. */
export function commitNow(): string | undefined {
  const git = (...words: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync("git", words, { cwd: projectRoot, encoding: "utf8" });
    return status === 0 ? stdout.trim() : undefined;
  };
  const commit = git("rev-parse", "--short=8", "HEAD");
  return commit === undefined
    ? undefined
    : `${commit}${git("status", "--porcelain", "--", "src") === "" ? "" : ", changed since"}`;
}
