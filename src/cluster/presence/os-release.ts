import { readText } from "../../machine/files/read-file.ts";
import type { Report } from "../api/report.ts";

/** In the order of os-release(5): the administrator's file, then the distribution's. */
const files: readonly [etc: string, usr: string] = ["/etc/os-release", "/usr/lib/os-release"];
const limits = { capBytes: 65_536, links: "follow" } as const;

/** Reads the operating system, in a pod that of its image. Undefined if no readable file names it. */
export function readOperatingSystem([etc, usr] = files): Report["os"] {
  const text = readText(etc, limits) ?? readText(usr, limits) ?? "";
  const id = valueOf("ID", text);
  return id === undefined ? undefined : { id, version_id: valueOf("VERSION_ID", text) ?? "" };
}

/** The last assignment counts, as in a shell. Undefined if the value is missing or is not a plain word. */
function valueOf(name: "ID" | "VERSION_ID", text: string): string | undefined {
  const [, value = ""] =
    text
      .match(new RegExp(`^${name}=.*$`, "gm"))
      ?.at(-1)
      ?.split("=", 2) ?? [];
  return /^(["']?)([\w.-]{1,64})\1$/.exec(value.trimEnd())?.[2];
}
