import { statSync } from "node:fs";
import type { RunCommand } from "../host/command.ts";
import { reach, tellBarred, wayFree } from "../host/reach.ts";
import { shellWord } from "../host/shell-word.ts";
import type { UnitName } from "../settings/settings.ts";
import { environmentFilesOf } from "../unit/unit-environment.ts";
import type { Check } from "./check.ts";

export type ForeignFile = Pick<Check, "told"> & { readonly fix: string };

/** systemd itself opens the environment files of a unit when it starts it, and waits for whoever can keep one from being read. */
export async function foreignEnvironmentFile(run: RunCommand, unit: UnitName): Promise<ForeignFile | undefined> {
  const paths = await environmentFilesOf(run, unit);
  return paths.map(judge).find((foreign) => foreign !== undefined);
}

function judge(path: string): ForeignFile | undefined {
  const reached = reach(path, "follow", (place) => ({ kind: "reached", uid: statSync(place).uid }) as const);
  const told = `its EnvironmentFile= ${path}`;
  if (reached.kind === "barred") return { told: `${told} holds up systemd: ${tellBarred(reached)}`, fix: wayFree(reached) };
  if (reached.kind !== "reached" || reached.uid === 0) return undefined;
  return {
    told: `${told} belongs to user ${reached.uid}, who can keep systemd waiting for it, with all of the host`,
    fix: `sudo chown root: ${shellWord(path)}`,
  };
}
