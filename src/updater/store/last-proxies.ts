import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { decodeProxies, encodeProxies } from "../record/proxies.ts";
import type { ProxyVariables } from "../../rules/route/route.ts";

/** As long as they may be in the file that they come from, each character as six. */
const capBytes: number = 512 * 1024;

/** The proxies as they were last read; undefined where that is not known, or not to this user. */
export function readLastProxies(path: string): ProxyVariables | undefined {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  const decoded = reading.kind === "read" ? decodeProxies(reading.text) : undefined;
  return decoded?.kind === "read" ? decoded.value : undefined;
}

/** Nothing is written where they are what they were. They may hold passwords. */
export function keepLastProxies(path: string, proxies: ProxyVariables, root: string): void {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  const text = encodeProxies(proxies);
  if (reading.kind === "read" && reading.text === text && reading.mode === mode) return;
  writeFileAtomically(path, text, { root, mode, fault: "file-failed" });
}

const mode = 0o600;
