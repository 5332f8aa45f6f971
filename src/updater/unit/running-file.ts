import { statSync } from "node:fs";
import type { RunCommand } from "../../machine/processes/command.ts";
import { reach } from "../../machine/files/foreign-file.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "./environment.ts";

/** Whether the main process runs the file that is on disk now ("new") or a replaced one ("old"). */
export type RunningFile = "new" | "old" | "unknown";

/** The probe starts a transient unit and reads one link, which takes some 30 ms. */
const probeTimeoutMs = 20_000;
/** File times come from a clock that ticks a few milliseconds behind. */
const clockSlackMs = 50;

/**
 * Whether the process runs a file that was installed since `sinceMs`. A sandboxed uid 0 may not look into a process with more capabilities, so a
 * transient unit reads the link, and we look only at its target.
 */
export async function runningFile(run: RunCommand, pid: number, sinceMs: number): Promise<RunningFile> {
  // Keeps the unit's start and end out of the journal.
  const flags = ["--wait", "--pipe", "--collect", "--quiet", "-p", "LogLevelMax=notice"];
  const argv = ["systemd-run", ...flags, "--", "readlink", `/proc/${pid}/exe`] as const;
  const result = await askingAgain(run)({ argv, env: toolEnvironment, timeoutMs: probeTimeoutMs });
  if (result.kind !== "exited" || result.status !== 0) return "unknown";
  const path = result.stdout.replace(/\n$/, "");
  if (path.endsWith(" (deleted)")) return "old";
  return changedSince(path, sinceMs) ? "new" : "unknown";
}

/**
 * Whether the file was replaced since then. An unchanged file proves nothing: it may be a script's interpreter. The agent's user controls the path,
 * but can run anything as the agent anyway.
 */
function changedSince(path: string, sinceMs: number): boolean {
  const reached = reach(path, "follow", (place) => ({ kind: "seen", changedMs: statSync(place).ctimeMs }) as const);
  return reached.kind === "seen" && reached.changedMs >= sinceMs - clockSlackMs;
}
