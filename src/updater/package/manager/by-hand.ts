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

/** A manager and the root that it works on; undefined for the machine itself. */
type Managed = { readonly name: Manager; readonly root?: string | undefined };

/** The command that releases a package held by the manager. */
export function unholdCommand({ name, root }: Managed, held: PackageName): string {
  return `sudo ${below(root)}${unhold[name]} ${held}`;
}

/** The command that shows which repositories offer which versions. */
export function lookUpCommand({ name, root }: Managed, wanted: PackageName): string {
  return `${root === undefined || root === "/" ? "" : "sudo "}${below(root)}${lookUp[name]} ${wanted}`;
}

/** The option that names another root; empty for the machine itself. */
function below(root: string | undefined): string {
  return root === undefined || root === "/" ? "" : `chroot ${shellWord(root)} `;
}
