import { Fault } from "../../rules/fault/fault.ts";
import { storedResource } from "../resource/resource.ts";
import type { Change, Item, Store } from "../storage/port.ts";
import { asRead } from "./changes.ts";
import { everyItem } from "./every-item.ts";
import { placesOfRoles } from "./grants.ts";

const kindsThatNameRoles = ["user", "github", "saml", "oidc"] as const;
const mostTold = 5;

/** Who has the role would lose it unseen, and with it what it denies; and would have whatever is called so later. */
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
 * Who names a role and who deletes one leave a mark each, and commit only where the other's mark is as it was before they looked. Called
 * before anything is read.
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
