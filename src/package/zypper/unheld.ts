import { readFileCapped } from "../../host/read-file.ts";
import type { PackageName } from "../../settings/settings.ts";
import type { CallFiles } from "./call-directory.ts";
import { configurationWith } from "./configuration.ts";
import { isHeldBy, withoutHolds } from "./locks.ts";

const capBytes: number = 256 * 1024;

/** Whether an admin holds the package as a whole. */
export function isHeld(root: string, name: PackageName): boolean {
  return isHeldBy(locksOf(root), name);
}

/**
 * Shows one call the host's locks without those that hold the package. The hold itself is never taken away, so there is nothing
 * to be put back, whatever becomes of the call.
 */
export function unheldFiles(root: string, name: PackageName, directory: string): CallFiles {
  // Also for work below another root, zypp reads the machine's.
  return { locks: withoutHolds(locksOf(root), name), "zypp.conf": configurationWith(`${directory}/locks`, "/") };
}

export function unheldEnvironment(directory: string): Readonly<Record<string, string>> {
  return { ZYPP_CONF: `${directory}/zypp.conf` };
}

function locksOf(root: string): string {
  const reading = readFileCapped(`${root === "/" ? "" : root}/etc/zypp/locks`, { capBytes, links: "follow" });
  // Before the first lock there is no file.
  return reading.kind === "read" ? reading.text : "";
}
