import type { Role } from "../access/judge.ts";
import { presets } from "../access/presets.ts";
import { storedResource } from "../resource/resource.ts";
import { roleOf } from "../resource/rules.ts";
import type { Item, Store } from "../storage/port.ts";

export async function findRole(store: Pick<Store, "get">, name: string): Promise<Role | undefined> {
  const preset = presets.find((role) => role.name === name);
  if (preset !== undefined) return preset;
  const item = await store.get({ kind: "role", name });
  return item === undefined ? undefined : roleFrom(item);
}

/** An unreadable role allows and denies nothing. */
export function roleFrom({ body, name }: Item): Role {
  const reading = storedResource(body);
  if (reading.kind === "read" && reading.value.kind === "role") return roleOf(reading.value);
  return { name, allow: [], deny: [] };
}

/** Finds each role once, in order. */
export async function findRoles(
  store: Pick<Store, "get">,
  names: readonly string[],
): Promise<{ readonly found: readonly Role[]; readonly unknown: readonly string[] }> {
  const found: Role[] = [];
  const unknown: string[] = [];
  for (const name of new Set(names)) {
    const role = await findRole(store, name);
    if (role === undefined) unknown.push(name);
    else found.push(role);
  }
  return { found, unknown };
}
