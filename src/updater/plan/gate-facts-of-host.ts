import type { Artifact } from "../../rules/decide/artifact.ts";
import type { GateFacts, KnownSchedule } from "../../rules/decide/gate-facts.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { Schedule } from "../../rules/window/schedule.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Facts } from "./host-facts.ts";

/** One bad look may show a restart; two in a row are an illness. */
export const unhealthyPassesForRescue = 2;

/** The facts for the gates that other programs have too. */
export function gateFactsOf({ now, clock, answer, installed, offered, schedule, agent, memory }: Facts): GateFacts {
  return {
    now,
    clock,
    answer,
    installed: installed.kind === "absent" ? undefined : artifactOf(installed.packageVersion),
    offered: offered === undefined ? undefined : { artifact: artifactOf(offered.packageVersion), build: offered.build },
    schedule: knownSchedule(schedule),
    isIll: agent === "unhealthy" && memory.unhealthyPasses >= unhealthyPassesForRescue,
    memory: { ...memory, rejected: memory.rejected.map((row) => ({ ...row, artifact: artifactOf(row.packageVersion) })) },
  };
}

function artifactOf(packageVersion: PackageVersion): Artifact {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- two brands of the same text
  return packageVersion as string as Artifact;
}

export function knownSchedule(schedule: Schedule): KnownSchedule {
  switch (schedule.kind) {
    case "windows":
      return schedule;
    case "empty":
      return { kind: "none", why: "schedule-empty", told: "no valid schedule: the file is empty" };
    case "invalid":
      return {
        kind: "none",
        why: "schedule-invalid",
        // Line 0 means that the whole file is wrong.
        told: `no valid schedule: ${schedule.line === 0 ? "" : `line ${schedule.line} reads "${schedule.text}": `}${schedule.why}`,
      };
    case "stale":
      return {
        kind: "none",
        why: "schedule-stale",
        told: `no valid schedule: its last window ended at ${printInstant(schedule.endedAt)}`,
      };
    case "missing":
    case "never":
      // An earlier gate has dealt with `never`.
      return { kind: "none", why: "schedule-missing", told: "no valid schedule: the file is missing" };
  }
}
