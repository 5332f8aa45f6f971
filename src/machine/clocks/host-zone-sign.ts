import { lstatSync, readlinkSync } from "node:fs";
import { errnoOf, errnoWords } from "../files/errno.ts";

export type HostZonePaths = {
  /** The link that `timedatectl set-timezone` makes into the time zones. */
  readonly localtime: string;
  readonly zoneinfo: string;
};

/** A text that changes when the host's zone is set again. */
export function hostZoneSign({ localtime }: HostZonePaths): string {
  try {
    return `link ${readlinkSync(localtime)}`;
  } catch (thrown) {
    if (errnoOf(thrown) !== "EINVAL") return `no link (${errnoWords(thrown)})`;
    const { size, mtimeMs, ino } = lstatSync(localtime);
    return `file ${size} ${mtimeMs} ${ino}`;
  }
}
