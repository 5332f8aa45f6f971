import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { Fault } from "../../../rules/fault/fault.ts";

const usualFolder = "/usr/bin";

/**
 * dnf 4 under this host's name for it: `dnf`, or `yum` if that is a link to it, as on RHEL. dnf5 has another command line, and yum 3
 * belongs to hosts that are too old.
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

/** The file that a program's name leads to; undefined if it is missing. */
function fileOf(path: string): string | undefined {
  try {
    return basename(realpathSync(path));
  } catch {
    return undefined;
  }
}
