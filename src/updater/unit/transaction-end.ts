import type { CommandResult } from "../../machine/processes/command.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";

/** How a transaction ended, as its unit wrote it down. */
export type TransactionEnd = Extract<CommandResult, { kind: "exited" | "killed" | "not-started" }>;

/** The file holds three words and an id. */
const capBytes = 1024;

/**
 * The unit's last command, which PID 1 runs after any end, because `--collect` removes the unit before we can ask. It must need no quoting: after a
 * reload, which packages trigger, systemd 252 passes a dollar or a semicolon to the shell with a backslash. The file is in memory, because nobody
 * asks for it after a boot.
 */
export function writeEndCommand(id: string, path: string): string {
  const written = `${path}.new`;
  const lines = `echo ${id} >${written} && printenv SERVICE_RESULT EXIT_CODE EXIT_STATUS >>${written} || true`;
  return `/bin/sh -c "${lines} && mv -f ${written} ${path}"`;
}

/** Reads how the transaction ended. Undefined until its unit has written that, and if the file is another transaction's. */
export function readEnd(path: string, id: string): TransactionEnd | undefined {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  return reading.kind === "read" && reading.uid === 0 ? parseEnd(reading.text, id) : undefined;
}

export function parseEnd(text: string, id: string): TransactionEnd | undefined {
  const [writer, result, code, status] = text.split("\n");
  if (writer !== id || result === undefined) return undefined;
  // The kernel may have killed only a child, and then the program's own status says something else.
  if (result === "oom-kill") return { ...killed("SIGKILL"), how: "for lack of memory" };
  if (code === "killed" || code === "dumped") return killed(`SIG${status}`);
  if (code === "exited") return { kind: "exited", status: Number(status), stdout: "", stderr: "" };
  return { kind: "not-started", reason: "other", message: `systemd says: ${result}` };
}

/** The end of a transaction that was killed with all its processes, so that none could write it. */
export const withoutTrace: TransactionEnd = { ...killed("SIGKILL"), how: "without a trace" };

function killed(signal: string): Extract<CommandResult, { kind: "killed" }> {
  return { kind: "killed", signal, stdout: "", stderr: "" };
}
