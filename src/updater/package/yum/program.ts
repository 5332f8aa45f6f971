import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { Fault } from "../../../rules/fault/fault.ts";

const usualFolder = "/usr/bin";

/**
 * dnf 4 under the name that this host has for it: `dnf`, and `yum` where that is a link to it, as on RHEL. dnf5 understands
 * another command line, and yum 3 belongs to hosts below the floors.
 */
export function yumProgram(folder: string = usualFolder): string {
  const there = ["dnf", "yum"]
    .map((name) => ({ name, file: fileOf(`${folder}/${name}`) }))
    .filter(({ file }) => file !== undefined);
  const usable = there.find(({ file }) => file === "dnf" || file === "dnf-3" || file === "dnf-4");
  if (usable !== undefined) return usable.name;
  const [other] = there;
  throw new Fault("host-unsupported", {
    message:
      other === undefined ? "dnf is not installed" : `${other.name} is ${other.file} here, and svc-upgrade works with dnf 4`,
    hint: "set `manager:` to the package manager that installs the agent on this host",
  });
}

/** What a program's name leads to; undefined where there is none. */
function fileOf(path: string): string | undefined {
  try {
    return basename(realpathSync(path));
  } catch {
    return undefined;
  }
}
