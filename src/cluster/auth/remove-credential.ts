import type { Change, Store } from "../storage/port.ts";
import { asRead, deletion } from "./changes.ts";
import { credentialKey, findCredential } from "./credential-row.ts";
import { invitationKey } from "./invitation-row.ts";
import { removeSession } from "./session-row.ts";

/** Removes the user's credential, sessions and invitation, in the commit that removes the user. */
export async function removeCredential(store: Pick<Store, "get">, user: string): Promise<readonly Change[]> {
  const credential = await findCredential(store, user);
  // Expects that no credential exists, so the commit fails if somebody invites the user at this moment.
  if (credential === undefined) return [{ kind: "delete", item: credentialKey(user), expect: { kind: "absent" } }];
  const { item, row } = credential;
  return [
    { kind: "delete", item: credentialKey(user), expect: asRead(item) },
    ...row.sessions.map(removeSession),
    ...(row.invitation === undefined ? [] : [removeInvitation(row.invitation)]),
  ];
}

export function removeInvitation(name: string): Change {
  return deletion(invitationKey(name));
}
