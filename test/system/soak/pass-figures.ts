import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Host } from "../lab/host.ts";

/** The most that each half of a pass took: memory at its peak, and files open at once. */
export type PassFigures = Readonly<Record<"deciding" | "asking", { readonly peakKib: number; readonly files: number }>>;

const units = { deciding: "svc-upgrade.service", asking: "svc-upgrade-ask.service" } as const;
const sampleMs = 2;

/** Looks at the processes of both units, from outside, for as long as the pass lasts. */
export async function watchPass(host: Host, pass: () => Promise<void>): Promise<PassFigures> {
  const seen = { deciding: { peakKib: 0, files: 0 }, asking: { peakKib: 0, files: 0 } };
  const passing = pass();
  const isDone = Symbol("done");
  while ((await Promise.race([passing.then(() => isDone), sleep(sampleMs)])) !== isDone) {
    for (const half of ["deciding", "asking"] as const) {
      for (const pid of processesOf(host, units[half])) {
        const found = sample(pid);
        seen[half].peakKib = Math.max(seen[half].peakKib, found.peakKib);
        seen[half].files = Math.max(seen[half].files, found.files);
      }
    }
  }
  return seen;
}

/** As this machine numbers them. */
function processesOf(host: Host, unit: string): readonly string[] {
  const path = `/proc/${host.leader()}/root/sys/fs/cgroup/system.slice/${unit}/cgroup.procs`;
  return orElse(() => readFileSync(path, "utf8").split("\n"), []).filter((pid) => pid !== "");
}

/** Of the program itself alone: the tools that it starts are not what could grow. */
function sample(pid: string): { readonly peakKib: number; readonly files: number } {
  // Not by its name: the runtime gives its main thread another.
  if (orElse(() => readlinkSync(`/proc/${pid}/exe`), "") !== "/usr/bin/svc-upgrade") return { peakKib: 0, files: 0 };
  const status = orElse(() => readFileSync(`/proc/${pid}/status`, "utf8"), "");
  const peakKib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  return { peakKib, files: orElse(() => readdirSync(`/proc/${pid}/fd`), []).length };
}

/** A process may end at any moment. */
function orElse<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
