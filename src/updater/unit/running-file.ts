import { statSync } from "node:fs";
import type { RunCommand } from "../../machine/processes/command.ts";
import { reach } from "../../machine/files/foreign-file.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "./environment.ts";

/** What the main process runs: the file as it now lies on disk, one that is gone, or nothing that could be told. */
export type RunningFile = "new" | "old" | "unknown";

/** A transient unit and one readlink: some 30 ms. */
const probeTimeoutMs = 20_000;
/** File times come from a clock that ticks a few milliseconds behind. */
const clockSlackMs = 50;

/**
 * Whether the process runs a file that was put there since `sinceMs`. A sandboxed uid 0 may not look into a process with
 * more capabilities than its own, so the link is read from a transient unit, and only its target is looked at from here.
 */
export async function runningFile(run: RunCommand, pid: number, sinceMs: number): Promise<RunningFile> {
  // Its coming and going is no news for the journal.
  const flags = ["--wait", "--pipe", "--collect", "--quiet", "-p", "LogLevelMax=notice"];
  const argv = ["systemd-run", ...flags, "--", "readlink", `/proc/${pid}/exe`] as const;
  const result = await askingAgain(run)({ argv, env: toolEnvironment, timeoutMs: probeTimeoutMs });
  if (result.kind !== "exited" || result.status !== 0) return "unknown";
  const path = result.stdout.replace(/\n$/, "");
  if (path.endsWith(" (deleted)")) return "old";
  return changedSince(path, sinceMs) ? "new" : "unknown";
}

/**
 * An interpreter is never deleted by the update of a script: only a file that was itself put there proves anything. Where it lies is
 * for the agent's user to say, who may run whatever it likes in the agent's place.
 */
function changedSince(path: string, sinceMs: number): boolean {
  const reached = reach(path, "follow", (place) => ({ kind: "seen", changedMs: statSync(place).ctimeMs }) as const);
  return reached.kind === "seen" && reached.changedMs >= sinceMs - clockSlackMs;
}
