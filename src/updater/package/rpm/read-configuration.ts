import { readText } from "../../../machine/files/read-file.ts";

/** Reads a configuration file of the host. It has some hundred bytes, and may be an administrator's link. */
export function readConfiguration(path: string): string | undefined {
  return readText(path, { capBytes: 1024 * 1024, links: "follow" });
}
