import { existsSync } from "node:fs";
import { readText, type ReadLimits } from "../../../../machine/files/read-file.ts";
import { namesIn } from "../../../../machine/files/names-in.ts";
import { belowRoot } from "../../../../machine/files/paths.ts";

const job = "/etc/cron.d/cron-apt";
const actions = "/etc/cron-apt/action.d";
/** Enough for a file that people write by hand. */
export const small: ReadLimits = { capBytes: 64 * 1024, links: "follow" };

/** The actions of cron-apt that install packages. As shipped, cron-apt only downloads. */
export function installingActions(root: string): readonly string[] {
  if (!existsSync(belowRoot(root, job))) return [];
  return namesIn(belowRoot(root, actions))
    .toSorted()
    .map((name) => belowRoot(root, `${actions}/${name}`))
    .filter((path) => readText(path, small)?.split("\n").some(installs) === true);
}

function installs(line: string): boolean {
  const words = line.split(/\s+/);
  const isUpgrade = words.some((word) => /^(?:dist-|full-)?upgrade$/.test(word));
  const isOnlyLooking = words.some((word) => /^(?:-d|--download-only|-s|--simulate|--dry-run)$/.test(word));
  return isUpgrade && !isOnlyLooking && !line.startsWith("#");
}
