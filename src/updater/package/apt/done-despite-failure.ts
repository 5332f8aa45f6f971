import { databaseBelow, inspectAllArgv } from "./database.ts";
import { statSync } from "node:fs";
import type { Fault } from "../../../rules/fault/fault.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import type { AptCalls } from "./calls.ts";
import { installedAmong } from "./installed.ts";
import { namesIn } from "../../../machine/files/names-in.ts";

/**
 * Whether a failed call has done its work all the same. Another package's hook, trigger or half-configured state may make it fail. A package that the
 * call unpacked, and that dpkg calls whole, has run its own scripts successfully.
 */
export async function isDoneDespite(
  { code }: Fault,
  { ask, root }: Pick<AptCalls, "ask" | "root">,
  { files, before }: Done,
): Promise<boolean> {
  const [{ name }] = files;
  if (code !== "install-failed" || lastUnpacking(root, name) === before) return false;
  const names = files.map((one) => one.name);
  const found = installedAmong(await ask(inspectAllArgv(names, databaseBelow(root))), names);
  return files.every(({ version }, at) => {
    const one = found[at];
    return one?.kind === "present" && one.packageVersion === version && one.condition === "whole";
  });
}

/** The wanted packages, the agent's first. `before`: when the agent's was last unpacked before the call. */
type Done = { readonly files: readonly [Exactly, ...Exactly[]]; readonly before: string };
type Exactly = { readonly name: PackageName; readonly version: string };

/** A text that changes with each unpacking and never else: dpkg then writes the list of the package's files again. */
export function lastUnpacking(root: string, name: PackageName): string {
  const directory = `${databaseBelow(root)}/info`;
  const lists = namesIn(directory).filter(
    (file) => file === `${name}.list` || (file.startsWith(`${name}:`) && file.endsWith(".list")),
  );
  return lists.map((file) => toldOf(`${directory}/${file}`)).join(" ");
}

function toldOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.ctimeNs}`;
}
