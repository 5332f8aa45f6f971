import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { median, memory, row, type Row } from "../../../system/soak/rows.ts";

type Sample = { readonly kib: number; readonly files: number };

/** What a process holds, looked at every second until the work is done. */
export async function watchProcess(processId: number, work: Promise<unknown>): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const isDone = Symbol("done");
  do samples.push(sample(processId));
  while ((await Promise.race([work.then(() => isDone), sleep(1000)])) !== isDone);
  return samples;
}

function sample(processId: number): Sample {
  const status = readFileSync(`/proc/${processId}/status`, "utf8");
  return {
    kib: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]),
    files: readdirSync(`/proc/${processId}/fd`).length,
  };
}

/**
 * A runtime settles at first, in the first fifth of the time; of the rest the start is one half and the end is the other. It
 * frees memory all at once, some minutes apart: what it needs is what it has at its least.
 */
export function rowsOf(samples: readonly Sample[]): readonly Row[] {
  const part = Math.max(1, Math.floor((2 * samples.length) / 5));
  const [start, end] = [samples.slice(-2 * part, -part), samples.slice(-part)];
  const least = (of: readonly Sample[]): number => Math.min(...of.map(({ kib }) => kib));
  const usual = (of: readonly Sample[]): number => median(of.map(({ files }) => files));
  return [
    row("least memory of svc-proxy, KiB", [least(start), least(end)], memory),
    row("files open in svc-proxy", [usual(start), usual(end)], { more: 2 }),
  ];
}
