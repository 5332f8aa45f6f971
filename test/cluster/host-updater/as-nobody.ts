import { chownSync } from "node:fs";
import { writeSchedule } from "../../../src/cluster/host-updater/write-schedule.ts";
import type { ClusterSchedule } from "../../../src/rules/window/print-schedule.ts";

const nobody = 65_534;

/** With the rights of a user who owns nothing, in this process. */
export const asNobody = {
  own: (path: string): void => chownSync(path, nobody, nobody),
  write: (at: { readonly root: string; readonly path: string }, schedule: ClusterSchedule): string => {
    process.setegid?.(nobody);
    process.seteuid?.(nobody);
    try {
      return writeSchedule(schedule, { ...at, now: () => 1_800_000_000 });
    } catch (thrown) {
      const hint = thrown instanceof Error && "hint" in thrown ? String(thrown.hint) : "";
      throw new Error(`${String(thrown)}; ${hint}`, { cause: thrown });
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  },
};
