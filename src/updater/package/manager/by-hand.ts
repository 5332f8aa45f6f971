import { shellWord } from "../../../rules/text/shell-word.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { PackageManager } from "./manager.ts";

type Manager = PackageManager["name"];

const unhold: Readonly<Record<Manager, string>> = {
  apt: "apt-mark unhold",
  yum: "dnf versionlock delete",
  zypper: "zypper removelock",
};

const lookUp: Readonly<Record<Manager, string>> = {
  apt: "apt-cache policy",
  yum: "dnf list --showduplicates",
  zypper: "zypper search --details --match-exact",
};

/** A manager and its root; undefined: the machine's own. */
type Managed = { readonly name: Manager; readonly root?: string | undefined };

/** Releases a package that the manager holds. */
export function unholdCommand({ name, root }: Managed, held: PackageName): string {
  return `sudo ${below(root)}${unhold[name]} ${held}`;
}

/** Shows which repositories offer which versions. */
export function lookUpCommand({ name, root }: Managed, wanted: PackageName): string {
  return `${root === undefined || root === "/" ? "" : "sudo "}${below(root)}${lookUp[name]} ${wanted}`;
}

/** Commands are for the machine itself, or name the other root. */
function below(root: string | undefined): string {
  return root === undefined || root === "/" ? "" : `chroot ${shellWord(root)} `;
}
