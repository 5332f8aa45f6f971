import { Fault } from "../../rules/fault/fault.ts";
import { storedResource } from "../resource/resource.ts";
import type { Change, Item, Store } from "../storage/port.ts";
import { asRead } from "./changes.ts";
import { everyItem } from "./every-item.ts";
import { placesOfRoles } from "./grants.ts";

const kindsThatNameRoles = ["user", "github", "saml", "oidc"] as const;
const mostTold = 5;

/** Users of a deleted role would lose what it denies, and get a later role of the same name. */
export async function refuseWhileUsed(store: Pick<Store, "list">, name: string): Promise<void> {
  const users: string[] = [];
  for (const kind of kindsThatNameRoles) {
    for await (const item of everyItem(store, kind)) {
      if (isNamedBy(item, name)) users.push(`${kind}/${item.name}`);
    }
  }
  if (users.length === 0) return;
  const told = users.slice(0, mostTold).join(", ");
  const more = users.length > mostTold ? ` and ${users.length - mostTold} more` : "";
  throw new Fault("request-refused", {
    message: `the role ${name} is in use, by ${told}${more}`,
    hint: "take it from them first: `tctl users update USER --set-roles=OTHER`, or `tctl edit KIND/NAME` for a connector",
  });
}

/**
 * Naming a role and deleting one write a mark each, and commit only if the other's mark has not changed meanwhile. Call it before
 * reading anything.
 */
export async function markRoleUse(store: Pick<Store, "get">, mark: "named" | "deleted"): Promise<readonly Change[]> {
  const other = { kind: "role-use", name: mark === "named" ? "deleted" : "named" };
  return [
    { kind: "check", item: other, expect: asRead(await store.get(other)) },
    { kind: "put", item: { kind: "role-use", name: mark }, body: {}, expect: { kind: "anything" } },
  ];
}

function isNamedBy({ body }: Item, role: string): boolean {
  const reading = storedResource(body);
  return reading.kind === "read" && placesOfRoles(reading.value).some(({ name }) => name === role);
}
