import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { showProperties } from "./properties.ts";

/** The user that a unit's processes start as. "fleeting": it exists only while the unit runs. */
export type UnitUser = { readonly name: string; readonly kind: "lasting" | "fleeting" };

export async function userOf(run: RunCommand, unit: UnitName): Promise<UnitUser> {
  const { User: named, DynamicUser: dynamic } = await showProperties(run, unit, ["User", "DynamicUser"]);
  if (dynamic === "yes") return { name: named === "" ? unit.replace(/\.service$/, "") : named, kind: "fleeting" };
  return { name: named === "" ? "root" : named, kind: "lasting" };
}
