import type { Role } from "../access/judge.ts";
import { presets } from "../access/presets.ts";
import { storedResource } from "../resource/resource.ts";
import { roleOf } from "../resource/rules.ts";
import type { Item, Store } from "../storage/port.ts";

/** As they are now. Undefined: there is none of that name. */
export async function findRole(store: Pick<Store, "get">, name: string): Promise<Role | undefined> {
  const preset = presets.find((role) => role.name === name);
  if (preset !== undefined) return preset;
  const item = await store.get({ kind: "role", name });
  return item === undefined ? undefined : roleFrom(item);
}

/** One that cannot be read forbids and allows nothing: it says nothing that anybody could hold to. */
export function roleFrom({ body, name }: Item): Role {
  const reading = storedResource(body);
  if (reading.kind === "read" && reading.value.kind === "role") return roleOf(reading.value);
  return { name, allow: [], deny: [] };
}

/** What of these names roles have, each once, in their order. */
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
