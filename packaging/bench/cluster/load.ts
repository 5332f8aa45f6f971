import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { processorTimeOf } from "../processor-time.ts";
import type { Served } from "./stage.ts";

export const ways = ["full-handshake", "resumed-handshake", "call-resumed", "call-kept"] as const;
export type Way = (typeof ways)[number];

/** A call. HOST and COUNTER in its body stand for the numbers of the host and of its call. */
export type Call = { readonly path: string; readonly body: string; readonly says: RegExp };

export type Cost = { readonly microseconds: number; readonly perSecond: number };
/** `last` is the number of each host's last call that was answered. */
export type Loaded = Cost & { readonly last: readonly number[] };

export const clientsProcessor = "1";
const seconds = 2;

/** Measures what one call costs the server in processor time. The client checks every answer, and fails on a wrong one. */
export async function load(
  { processId, port, clients }: Served,
  way: Way,
  call: Call & { readonly folder: string },
): Promise<Loaded> {
  const told = join(call.folder, "client.json");
  const { path, body, says } = call;
  writeFileSync(told, JSON.stringify({ clients, port, path, body, says: says.source, way, seconds }), { mode: 0o600 });
  try {
    const argv = ["-c", clientsProcessor, process.execPath, resolve(import.meta.dirname, "client.cjs"), told];
    const child = spawn("taskset", argv, { stdio: ["ignore", "pipe", "inherit"], timeout: 60_000 });
    const ended = once(child, "close");
    // Counts from the client's first line on. It prints that when every client has a TLS session to resume.
    let before = Number.NaN;
    let printed = "";
    for await (const line of createInterface(child.stdout)) {
      if (Number.isNaN(before)) before = processorTimeOf(processId);
      else printed = line;
    }
    const [status] = (await ended) as [number | null];
    if (status !== 0) throw new Error(`the client of ${way} ended with status ${status}`);
    const { made, last } = JSON.parse(printed) as { readonly made: number; readonly last: readonly number[] };
    if (!(made > 0)) throw new Error(`the client made no ${way}`);
    return { microseconds: (processorTimeOf(processId) - before) / made, perSecond: made / seconds, last };
  } finally {
    rmSync(told, { force: true });
  }
}
