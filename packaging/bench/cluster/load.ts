import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { processorTimeOf } from "../processor-time.ts";
import type { Served } from "./stage.ts";

export const ways = ["full-handshake", "resumed-handshake", "call-resumed", "call-kept"] as const;
export type Way = (typeof ways)[number];

export type Call = { readonly path: string; readonly body: string; readonly says: RegExp };

export type Cost = { readonly microseconds: number; readonly perSecond: number };

const clientsProcessor = "1";
const seconds = 2;
const runFile = promisify(execFile);

/** What one of them costs the server, by its processor's time. The client looks at every answer, and fails on a wrong one. */
export async function load(
  { processId, port, client }: Served,
  way: Way,
  call: Call & { readonly folder: string },
): Promise<Cost> {
  const told = join(call.folder, "client.json");
  const { path, body, says } = call;
  writeFileSync(told, JSON.stringify({ ...client, port, path, body, says: says.source, way, seconds }), { mode: 0o600 });
  try {
    const before = processorTimeOf(processId);
    const argv = ["-c", clientsProcessor, process.execPath, resolve(import.meta.dirname, "client.cjs"), told];
    const { stdout } = await runFile("taskset", argv, { timeout: 60_000 });
    const made = Number(stdout);
    if (!(made > 0)) throw new Error(`the client made no ${way}`);
    return { microseconds: (processorTimeOf(processId) - before) / made, perSecond: made / seconds };
  } finally {
    rmSync(told, { force: true });
  }
}
