import { spawn, type ChildProcess } from "node:child_process";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeCgroup } from "./cgroup.ts";
import type { HostNetwork } from "./network.ts";
import { runProgram } from "./program.ts";
import type { Slot } from "./slot.ts";
import { until } from "./until.ts";

export type Booted = {
  /** The process of systemd-nspawn. */
  readonly machine: ChildProcess;
  /** The host's PID 1, as this machine numbers it. */
  readonly leader: number;
};

const bootScript = join(import.meta.dirname, "boot.sh");

/** A host boots in half a second; a runner with everything cold takes some more. */
const longestBootMs = 90_000;

/** Boots what lies in the slot, and returns once systemd says that the boot is over. */
export async function bootMachine(slot: Slot, made: { readonly lower: string; readonly network: HostNetwork }): Promise<Booted> {
  const cgroup = await makeCgroup(slot.number);
  const at = (name: string): string => join(slot.directory, name);
  const consoleFile = await open(at("console"), "a");
  const machine = spawn(
    "unshare",
    ["--mount", "--propagation", "slave", bootScript, cgroup, slot.directory, made.lower, ...nspawnArguments(slot, made.network)],
    { env: { PATH: process.env["PATH"] ?? "" }, stdio: ["ignore", consoleFile.fd, consoleFile.fd] },
  );
  let refusal: Error | undefined;
  machine.on("error", (cause) => (refusal = cause));
  await consoleFile.close();
  try {
    const leader = await until("PID 1 of the host to listen", longestBootMs, () => {
      if (refusal !== undefined || hasEnded(machine)) throw new Error("the host ended while booting", { cause: refusal });
      return listeningLeader(machine);
    });
    await until("the host to be running", longestBootMs, () => settledState(leader));
    return { machine, leader };
  } catch (cause) {
    throw new Error(`the host did not boot; its console:\n${await readFile(at("console"), "utf8")}`, { cause });
  }
}

export function hasEnded(machine: ChildProcess): boolean {
  return machine.exitCode !== null || machine.signalCode !== null;
}

function nspawnArguments(slot: Slot, network: HostNetwork): readonly string[] {
  return [
    "--boot",
    "--quiet",
    `--machine=svc-upgrade-lab-${slot.number}`,
    "--hostname=agent-host",
    "--register=no",
    "--keep-unit",
    "--console=pipe",
    "--link-journal=no",
    "--resolv-conf=off",
    "--timezone=off",
    `--network-namespace-path=${network.namespacePath}`,
    // A real host may make network namespaces for its units; one that is given its own is not, unless told so.
    "--capability=CAP_NET_ADMIN",
  ];
}

/** The child of nspawn that has become systemd, once its private socket is there. */
async function listeningLeader(machine: ChildProcess): Promise<number | undefined> {
  const { pid } = machine;
  if (pid === undefined || machine.exitCode !== null || machine.signalCode !== null)
    throw new Error("the host ended while booting");
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  for (const child of children.split(" ").filter((word) => word !== "")) {
    const comm = await readFile(`/proc/${child}/comm`, "utf8").catch(() => "");
    if (comm !== "systemd\n") continue;
    const socket = await stat(`/proc/${child}/root/run/systemd/private`).catch(() => undefined);
    if (socket?.isSocket() === true) return Number(child);
  }
  return undefined;
}

/** "degraded" is a state a host may come back in: the scenario judges it, not the lab. */
async function settledState(leader: number): Promise<string | undefined> {
  const asked = ["nsenter", "--target", String(leader), "--all", "--wdns=/", "systemctl", "is-system-running", "--wait"];
  const state = (await runProgram(asked)).stdout.trim();
  return state === "running" || state === "degraded" ? state : undefined;
}
