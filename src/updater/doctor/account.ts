import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { showProperties } from "../unit/properties.ts";

/** A user as the host's databases know it, of any kind. */
export type Account = { readonly uid: number; readonly gids: readonly number[] };

/** Generous: a directory server may have to answer. */
const timeoutMs = 20_000;
const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" };

/** Undefined if no user has that name or number. */
export async function accountOf(run: RunCommand, user: string): Promise<Account | undefined> {
  const result = await run({ argv: ["id", "--", user], env: environment, timeoutMs });
  return result.kind === "exited" && result.status === 0 ? parseId(result.stdout) : undefined;
}

/** `uid=1000(svc) gid=1000(svc) groups=1000(svc),4(adm)` */
export function parseId(output: string): Account | undefined {
  const [, uid, gid, groups = ""] = /^uid=(\d+)\S* gid=(\d+)\S*(?: groups=(.*))?$/m.exec(output) ?? [];
  if (uid === undefined || gid === undefined) return undefined;
  const others = groups.split(",").flatMap((group) => /^\d+/.exec(group) ?? []);
  return { uid: Number(uid), gids: [...new Set([gid, ...others].map(Number))] };
}

/** The user that a unit's processes start as. "fleeting": it exists only while the unit runs. */
type UnitUser = { readonly name: string; readonly kind: "lasting" | "fleeting" };

export async function userOf(run: RunCommand, unit: UnitName): Promise<UnitUser> {
  const { User: named, DynamicUser: dynamic } = await showProperties(run, unit, ["User", "DynamicUser"]);
  if (dynamic === "yes") return { name: named === "" ? unit.replace(/\.service$/, "") : named, kind: "fleeting" };
  return { name: named === "" ? "root" : named, kind: "lasting" };
}
