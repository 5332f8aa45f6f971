import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { decodeProxies, encodeProxies } from "../record/proxies.ts";
import type { ProxyVariables } from "../../rules/route/route.ts";

/** As long as the file that they come from, with each character written as six. */
const capBytes: number = 512 * 1024;

/** The proxies as last read; undefined if nothing was kept, or if this user may not read it. */
export function readLastProxies(path: string): ProxyVariables | undefined {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  const decoded = reading.kind === "read" ? decodeProxies(reading.text) : undefined;
  return decoded?.kind === "read" ? decoded.value : undefined;
}

/** Writes only a change. Only root can read the file, because proxies may contain passwords. */
export function keepLastProxies(path: string, proxies: ProxyVariables, root: string): void {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  const text = encodeProxies(proxies);
  if (reading.kind === "read" && reading.text === text && reading.mode === mode) return;
  writeFileAtomically(path, text, { root, mode, fault: "file-failed" });
}

const mode = 0o600;
