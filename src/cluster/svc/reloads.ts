import { join } from "node:path";
import type { ToldFault } from "../../rules/fault/tell-fault.ts";
import { readText } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { isMapping } from "../../rules/shape/reading.ts";

/** The result of the last reload. It is in a file, because a signal has no answer. */
export type LastReload = {
  readonly processId: number;
  /** How often this process has reloaded. */
  readonly count: number;
  readonly refused: Pick<ToldFault, "message" | "hint"> | undefined;
};

const longestBytes = 256 * 1024;

function pathIn(dataDirectory: string): string {
  return join(dataDirectory, "last-reload.json");
}

export function writeLastReload(dataDirectory: string, { processId, count, refused }: LastReload): void {
  const text = `${JSON.stringify({ process: processId, count, refused })}\n`;
  writeFileAtomically(pathIn(dataDirectory), text, { root: "/", mode: 0o600, fault: "file-failed" });
}

/** Undefined before the first reload. */
export function readLastReload(dataDirectory: string): LastReload | undefined {
  const text = readText(pathIn(dataDirectory), { capBytes: longestBytes, links: "refuse" });
  const found = text === undefined ? undefined : parsed(text);
  if (!isMapping(found)) return undefined;
  const { process: processId, count, refused } = found;
  if (typeof processId !== "number" || typeof count !== "number") return undefined;
  const { message, hint } = isMapping(refused) ? refused : {};
  const isRefused = typeof message === "string" && typeof hint === "string";
  return { processId, count, refused: isRefused ? { message, hint } : undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The file is another program's.
    return undefined;
  }
}
