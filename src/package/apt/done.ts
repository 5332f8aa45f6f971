import { readdirSync, statSync } from "node:fs";
import type { Fault } from "../../fault/fault.ts";
import type { PackageName } from "../../settings/settings.ts";
import type { Change } from "../manager.ts";
import { inspectArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";
import { installedFrom } from "./installed.ts";
import { databaseBelow } from "./below-root.ts";

/**
 * Somebody else's hook, trigger or half configured package may fail a call once everything is done; a package that dpkg has
 * unpacked in it and calls whole has had all its own scripts succeed.
 */
export async function isDoneDespite(
  { code }: Fault,
  { ask, root }: Pick<AptCalls, "ask" | "root">,
  { change: { name, to }, before }: { readonly change: Change; readonly before: string },
): Promise<boolean> {
  if (code !== "install-failed" || lastUnpacking(root, name) === before) return false;
  const installed = installedFrom(await ask(inspectArgv(name, databaseBelow(root))), name);
  return installed.kind === "present" && installed.packageVersion === to && installed.condition === "whole";
}

/** Differs after each unpacking: dpkg writes the list of a package's files anew then, and never else. */
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

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Where nothing was ever installed there is none.
    return [];
  }
}
