import { belowRoot } from "../../../machine/files/paths.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";

type Argv = readonly [string, ...string[]];

export function databaseBelow(root: string): string {
  return belowRoot(root, "/var/lib/dpkg");
}

export const databaseHint = "see `dpkg --audit`; dpkg keeps older copies in /var/backups";

/** `database` is dpkg's directory. dpkg-query knows `--root` only since 1.21. */
export function inspectArgv(name: PackageName, database: string): Argv {
  return ["dpkg-query", `--admindir=${database}`, "-W", "-f", "${db:Status-Abbrev}\\t${Version}\\n", name];
}

/** Asks for several packages at once, with their names. */
export function inspectAllArgv(names: readonly PackageName[], database: string): Argv {
  return ["dpkg-query", `--admindir=${database}`, "-W", "-f", "${db:Status-Abbrev}\\t${Version}\\t${Package}\\n", ...names];
}
