import { readText } from "../../../machine/files/read-file.ts";

/** What a file of the host's configuration says. Such a file has some hundred bytes; an admin may have linked it from elsewhere. */
export function readConfiguration(path: string): string | undefined {
  return readText(path, { capBytes: 1024 * 1024, links: "follow" });
}
