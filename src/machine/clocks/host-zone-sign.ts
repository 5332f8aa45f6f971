import { lstatSync, readlinkSync } from "node:fs";
import { errnoOf, errnoWords } from "../files/errno.ts";

export type HostZonePaths = {
  /** What `timedatectl set-timezone` makes: a link into the time zones. */
  readonly localtime: string;
  readonly zoneinfo: string;
};

/** Another one where the host's zone was set anew, for whoever only has to know that. */
export function hostZoneSign({ localtime }: HostZonePaths): string {
  try {
    return `link ${readlinkSync(localtime)}`;
  } catch (thrown) {
    if (errnoOf(thrown) !== "EINVAL") return `no link (${errnoWords(thrown)})`;
    const { size, mtimeMs, ino } = lstatSync(localtime);
    return `file ${size} ${mtimeMs} ${ino}`;
  }
}
