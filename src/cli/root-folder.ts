import { realpathSync, statSync } from "node:fs";
import { Fault } from "../fault/fault.ts";
import { errnoWords } from "../host/errno.ts";

/** The root that was named, absolute and without links: an empty or misspelt name must never mean this machine, or make a folder. */
export function rootFolder(named: string): string {
  if (named === "") throw unusable(named, "it is empty");
  try {
    const folder = realpathSync(named);
    if (statSync(folder).isDirectory()) return folder;
  } catch (thrown) {
    throw unusable(named, errnoWords(thrown));
  }
  throw unusable(named, "it is no folder");
}

function unusable(named: string, why: string): Fault {
  return new Fault("usage", {
    message: `--root "${named}" cannot be worked on: ${why}`,
    hint: "name the folder that holds the other system's etc and var; without --root this machine is meant",
  });
}
