import { databaseBelow } from "./database.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { contentsArgv, filesOfArgv } from "./argv.ts";
import type { AptCalls } from "./calls.ts";

/** The files in a package file, without directories. dpkg writes `./usr/x`, other tools `usr/x`. */
export async function contentsIn({ ask }: Pick<AptCalls, "ask">, file: string): Promise<readonly string[]> {
  const { stdout } = await ask(contentsArgv(file));
  return stdout.split("\n").flatMap((line) => {
    const path = /^(?:\.?\/)?(.*[^/])$/.exec(line)?.[1];
    return path === undefined ? [] : [`/${path}`];
  });
}

/** The paths of an installed package, directories included. */
export async function pathsOf({ ask, root }: Pick<AptCalls, "ask" | "root">, name: PackageName): Promise<readonly string[]> {
  const { stdout } = await ask(filesOfArgv(name, databaseBelow(root)));
  return stdout.split("\n").filter((line) => line !== "");
}
