import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { shellWord } from "../../rules/text/shell-word.ts";

/** A place for certificates that every user and every sandbox can read. */
export const caPlace = "/etc/svc-upgrade/ca.pem";

/** The high number makes this the last file that counts. */
export const useCaPlace: string = `echo 'ca_file: ${caPlace}' | sudo tee /etc/svc-upgrade/90-ca.yaml`;

/**
 * The command that makes a file readable for the asking unit. Its user is in no group, so only the last digit of the mode counts. Undefined if the
 * unit can read it, or if that is unknown.
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

/**
 * The command that lets everyone read a file which this process may not read. It changes the mode of the file, and of the first closed directory
 * above.
 */
export function openToAll(path: string, isPassed: (directory: string) => boolean = mayPass): string {
  const readable = `sudo chmod 0644 ${shellWord(path)}`;
  const closed = directoriesAbove(path).find((directory) => !isPassed(directory));
  return closed === undefined ? readable : `sudo chmod o+x ${shellWord(closed)} && ${readable}`;
}

/** The command that copies a file which no mode makes readable for the asking unit. */
export function copyToCaPlace(path: string): string {
  return `sudo install -m 0644 ${shellWord(path)} ${caPlace} && ${useCaPlace}`;
}

/** Whether ProtectHome or InaccessiblePaths of svc-upgrade-ask.service hides the path. */
export function isClosedToUnit(path: string): boolean {
  return closed.some((directory) => path.startsWith(directory));
}

const closed = ["/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"] as const;

/** The directories above a path, from the root down. */
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
