import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { median, memory, row, type Row } from "../../system/soak/rows.ts";

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

/** A runtime settles at first: the start is the second fifth of the time, and the end is the last. */
export function rowsOf(samples: readonly Sample[]): readonly Row[] {
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const [start, end] = [samples.slice(fifth, 2 * fifth), samples.slice(-fifth)];
  const both = (of: (one: Sample) => number): readonly [number, number] => [median(start.map(of)), median(end.map(of))];
  return [
    row(
      "memory of svc-proxy, KiB",
      both(({ kib }) => kib),
      memory,
    ),
    row(
      "files open in svc-proxy",
      both(({ files }) => files),
      { more: 2 },
    ),
  ];
}
