import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withPrivateDirectory } from "../call/private-directory.ts";
import { option, withOptions, type Argv } from "./argv.ts";

/** Options that keep dpkg below the root. */
export function dpkgBelow(root: string): readonly string[] {
  return root === "/" ? [] : [`--root=${root}`, `--log=${root}/var/log/dpkg.log`, "--path-include=/*"];
}

export type AptCall = { readonly argv: Argv; readonly env: Readonly<Record<string, string>> };

/**
 * Keeps a call of apt below the root. Every path points there, and no configuration of either system is read, because hooks in the root's would run
 * on this machine. dpkg itself uses chroot for package scripts. One path is fixed: dpkg always reads the machine's /etc/dpkg/dpkg.cfg, so the call
 * undoes what containers write there. The root's name is only in arguments, where apt takes a value as it is; in a file it would be read as
 * configuration, so the file's text never changes. But a file is needed, because apt reads the machine's configuration before its arguments.
 */
export async function keepBelow<T>(root: string, argv: Argv, work: (call: AptCall) => Promise<T>): Promise<T> {
  const kept = root === "/" ? undefined : withOptions(argv, optionsBelow(root));
  if (kept === undefined) return work({ argv, env: {} });
  return withPrivateDirectory(async (directory) => {
    const file = join(directory, "apt.conf");
    await writeFile(file, leavesOut, { mode: 0o600, flag: "wx" });
    return work({ argv: kept, env: { APT_CONFIG: file } });
  });
}

/** The text of the file that apt reads before all others. */
const leavesOut = 'Dir::Etc::main "/dev/null";\nDir::Etc::parts "/dev/null";\n';

function optionsBelow(root: string): readonly string[] {
  return [
    ...option("Dir", `${root}/`),
    ...option("Dir::State::status", `${root}/var/lib/dpkg/status`),
    ...option("Dir::Log::Terminal", "/dev/null"),
    ...dpkgBelow(root).flatMap((words) => option("DPkg::Options::", words)),
    ...option("APT::Sandbox::User", "root"),
  ];
}

/** Makes a question write no cache below another root. */
export function asQuestion(root: string, argv: Argv): Argv {
  return root === "/" ? argv : (withOptions(argv, unwritten) ?? argv);
}

const unwritten: readonly string[] = [...option("Dir::Cache::pkgcache", ""), ...option("Dir::Cache::srcpkgcache", "")];
