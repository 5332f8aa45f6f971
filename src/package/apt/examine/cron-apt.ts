import { readdirSync } from "node:fs";
import { readFileCapped } from "../../../host/read-file.ts";

const job = "/etc/cron.d/cron-apt";
const actions = "/etc/cron-apt/action.d";
const capBytes: number = 64 * 1024;

/** The actions of cron-apt that install: as it is shipped, it only downloads. */
export function installingActions(root: string): readonly string[] {
  const below = root === "/" ? "" : root;
  if (readFileCapped(`${below}${job}`, { capBytes, links: "follow" }).kind === "missing") return [];
  return namesIn(`${below}${actions}`)
    .map((name) => `${below}${actions}/${name}`)
    .filter((path) => {
      const reading = readFileCapped(path, { capBytes, links: "follow" });
      return reading.kind === "read" && reading.text.split("\n").some(installs);
    });
}

function installs(line: string): boolean {
  const words = line.split(/\s+/);
  const isUpgrade = words.some((word) => /^(?:dist-|full-)?upgrade$/.test(word));
  const isOnlyLooking = words.some((word) => /^(?:-d|--download-only|-s|--simulate|--dry-run)$/.test(word));
  return isUpgrade && !isOnlyLooking && !line.startsWith("#");
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    // Without its directory of actions it has none.
    return [];
  }
}
