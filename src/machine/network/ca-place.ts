import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { shellWord } from "../../rules/text/shell-word.ts";

/** A place for certificates that every user and every sandbox can read. */
export const caPlace = "/etc/svc-upgrade/ca.pem";

/** By its number the last word on the matter. */
export const useCaPlace: string = `echo 'ca_file: ${caPlace}' | sudo tee /etc/svc-upgrade/90-ca.yaml`;

/**
 * What to type so that the asking unit may read a file that root reads: it runs as a user of its own, for whom only the last figure of
 * a mode counts. Undefined: it may, or nobody knows.
 */
export function toOpenToUnit(path: string): string | undefined {
  try {
    const place = realpathSync(path);
    if (isClosedToUnit(path) || isClosedToUnit(place)) return copyToCaPlace(path);
    const isPassed = (directory: string): boolean => (statSync(directory).mode & 0o001) !== 0;
    const mayRead = (statSync(place).mode & 0o004) !== 0 && directoriesAbove(place).every(isPassed);
    return mayRead ? undefined : openToAll(place, isPassed);
  } catch {
    return undefined;
  }
}

/** What to type so that everyone may read a file that this process may not: its mode, and the first closed directory above it. */
export function openToAll(path: string, isPassed: (directory: string) => boolean = mayPass): string {
  const readable = `sudo chmod 0644 ${shellWord(path)}`;
  const closed = directoriesAbove(path).find((directory) => !isPassed(directory));
  return closed === undefined ? readable : `sudo chmod o+x ${shellWord(closed)} && ${readable}`;
}

/** The same for a file that no mode opens to the asking unit. */
export function copyToCaPlace(path: string): string {
  return `sudo install -m 0644 ${shellWord(path)} ${caPlace} && ${useCaPlace}`;
}

/** By ProtectHome and InaccessiblePaths of svc-upgrade-ask.service: these may not be entered there. */
export function isClosedToUnit(path: string): boolean {
  return closed.some((directory) => path.startsWith(directory));
}

const closed = ["/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"] as const;

/** From the root down. */
function directoriesAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [...directoriesAbove(above), above];
}

function mayPass(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
