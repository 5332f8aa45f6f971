import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { errnoOf, errnoWords } from "../files/errno.ts";
import type { HostZonePaths } from "./host-zone-sign.ts";

export type HostZone = { readonly kind: "zone"; readonly zone: string } | { readonly kind: "unknown"; readonly why: string };

/**
 * The zone that is set for the host, whatever TZ says. Only its name matters, so its tables need not be installed. If there is a file in place of the
 * link, a zone with the same content is taken.
 */
export function readHostZone({ localtime, zoneinfo }: HostZonePaths, names: () => readonly string[]): HostZone {
  let target: string;
  try {
    target = readlinkSync(localtime);
  } catch (thrown) {
    switch (errnoOf(thrown)) {
      case "ENOENT":
        return { kind: "zone", zone: "UTC" };
      case "EINVAL":
        return zoneLike(localtime, zoneinfo, names());
      default:
        return { kind: "unknown", why: `${localtime} cannot be read: ${errnoWords(thrown)}` };
    }
  }
  const zone = zoneIn(target) ?? zoneIn(wherever(localtime));
  return zone === undefined ? { kind: "unknown", why: `${localtime} is a link to no time zone` } : { kind: "zone", zone };
}

/** The end of a chain of links. */
function wherever(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return "";
  }
}

function zoneIn(target: string): string | undefined {
  return /(?:^|\/)zoneinfo\/(?:posix\/|right\/)?([A-Za-z].*)$/.exec(target)?.[1];
}

function zoneLike(localtime: string, zoneinfo: string, names: readonly string[]): HostZone {
  const own = contents(localtime);
  const zone = own && names.find((name) => contents(`${zoneinfo}/${name}`)?.equals(own) === true);
  if (zone !== undefined) return { kind: "zone", zone };
  return { kind: "unknown", why: `${localtime} is a file like none below ${zoneinfo}, and no link` };
}

function contents(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
