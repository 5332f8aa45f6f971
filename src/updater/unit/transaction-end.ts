import type { CommandResult } from "../../machine/processes/command.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";

/** How a transaction ended, as its own unit has written it down. */
export type TransactionEnd = Extract<CommandResult, { kind: "exited" | "killed" | "not-started" }>;

/** Three words and an id. */
const capBytes = 1024;

/**
 * The unit's last command, which PID 1 runs however the program ended: by the time anybody asks, `--collect` has thrown that away.
 * Nothing in it may need quoting: systemd 252 writes a dollar or a semicolon down so that, once it has read its units again,
 * the shell is given a backslash with it; and packages have it read them again. The file lies in memory: a boot later, nobody asks for it.
 */
export function writeEndCommand(id: string, path: string): string {
  const written = `${path}.new`;
  const lines = `echo ${id} >${written} && printenv SERVICE_RESULT EXIT_CODE EXIT_STATUS >>${written} || true`;
  return `/bin/sh -c "${lines} && mv -f ${written} ${path}"`;
}

/** Undefined: that transaction has not written of its end, or the file is of another one. */
export function readEnd(path: string, id: string): TransactionEnd | undefined {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  return reading.kind === "read" && reading.uid === 0 ? parseEnd(reading.text, id) : undefined;
}

export function parseEnd(text: string, id: string): TransactionEnd | undefined {
  const [writer, result, code, status] = text.split("\n");
  if (writer !== id || result === undefined) return undefined;
  // The kernel may have chosen a child, and the program have gone on to tell of it in its own way.
  if (result === "oom-kill") return { ...killed("SIGKILL"), how: "for lack of memory" };
  if (code === "killed" || code === "dumped") return killed(`SIG${status}`);
  if (code === "exited") return { kind: "exited", status: Number(status), stdout: "", stderr: "" };
  return { kind: "not-started", reason: "other", message: `systemd says: ${result}` };
}

/** What was ended with all that belonged to it cannot write. */
export const withoutTrace: TransactionEnd = { ...killed("SIGKILL"), how: "without a trace" };

function killed(signal: string): Extract<CommandResult, { kind: "killed" }> {
  return { kind: "killed", signal, stdout: "", stderr: "" };
}
