import { Fault } from "../../rules/fault/fault.ts";
import { storedResource } from "../resource/resource.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Change, Item, Store } from "../storage/port.ts";
import { asRead } from "./changes.ts";
import { everyItem } from "./every-item.ts";
import { placesOfRoles } from "./grants.ts";
import { rowOf } from "./row-forms.ts";
import { sessionRow } from "./session-row.ts";

const kindsThatNameRoles = ["user", "github", "saml", "oidc"] as const;
const mostTold = 5;

/** Refuses to delete a role in use: its users would lose what it denies, and would get any later role with the same name. */
export async function refuseWhileUsed(store: Pick<Store, "list">, name: string, now: UnixSeconds): Promise<void> {
  const users: string[] = [];
  for (const kind of kindsThatNameRoles) {
    for await (const item of everyItem(store, kind)) {
      if (isNamedBy(item, name)) users.push(`${kind}/${item.name}`);
    }
  }
  for await (const item of everyItem(store, "session")) {
    const { user, roles = [], until } = rowOf(sessionRow, item);
    if (until > now && roles.some((role) => role === name)) users.push(`the session ${item.name} of ${user}`);
  }
  if (users.length === 0) return;
  const told = users.slice(0, mostTold).join(", ");
  const more = users.length > mostTold ? ` and ${users.length - mostTold} more` : "";
  throw new Fault("request-refused", {
    message: `the role ${name} is in use, by ${told}${more}`,
    hint: "take it from them first: `tctl users update USER --set-roles=OTHER`, `tctl edit KIND/NAME` for a connector, or `tctl sessions rm NAME`",
  });
}

/**
 * Keeps two calls apart of which one names a role and the other deletes it: each writes a mark, and commits only if the other's mark is unchanged.
 * Call it before you read anything.
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
