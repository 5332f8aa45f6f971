import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startDriven, type Scheme } from "../driven.ts";
import { askHonestly, type Waits } from "./honest.ts";
import type { Manner } from "./manner.ts";

export type Flood = {
  readonly scheme: Scheme;
  readonly manner: Manner;
  readonly connections: number;
  /** With the shipped limits, or with a tenth of them. */
  readonly limits: "shipped" | "smaller";
};

export type Flooded = Waits & {
  /** The most that the server's process had at any time. */
  readonly peakMib: number;
  /** Connections that it closed for the sake of others. */
  readonly shed: number;
};

/** The honest client asks before, meanwhile and after. */
const calmMs = 1000;

/** A server of its own, hostile clients for so long, and an honest one beside them. */
export async function flood({ scheme, manner, connections, limits }: Flood, seconds: number): Promise<Flooded> {
  const server = await (limits === "shipped"
    ? startDriven(scheme)
    : startDriven(scheme, join(import.meta.dirname, "smaller.ts")));
  try {
    const port = new URL(server.endpoint).port;
    const argv = [join(import.meta.dirname, "attacker.ts"), port, scheme, manner, String(connections), String(seconds)];
    const attack = async (): Promise<void> => {
      await sleep(calmMs);
      const attacker = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit"] });
      const [status] = (await once(attacker, "exit")) as [number | null];
      if (status !== 0) throw new Error(`the hostile clients ended with ${status}`);
      await sleep(calmMs);
    };
    const waits = await askHonestly(server, attack());
    const metrics = await (await fetch(`${server.lookUrl}/metrics`)).text();
    const shed = [...metrics.matchAll(/^svc_proxy_shed_connections_total\{.*\} (\d+)$/gm)];
    return { ...waits, peakMib: peakMib(server.processId), shed: shed.reduce((sum, [, count]) => sum + Number(count), 0) };
  } finally {
    await server.stop();
  }
}

function peakMib(processId: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 1024);
}
