import type { Change, Store } from "../storage/port.ts";
import { asRead } from "./changes.ts";
import { credentialKey, findCredential } from "./credential-row.ts";
import { invitationKey } from "./invitation-row.ts";
import { removeSession } from "./session-row.ts";

/** With a user goes all that they sign in with, and what they are signed in by, in the same commit. */
export async function removeCredential(store: Pick<Store, "get">, user: string): Promise<readonly Change[]> {
  const credential = await findCredential(store, user);
  // Whoever is invited at this very moment is not left behind.
  if (credential === undefined) return [{ kind: "delete", item: credentialKey(user), expect: { kind: "absent" } }];
  const { item, row } = credential;
  return [
    { kind: "delete", item: credentialKey(user), expect: asRead(item) },
    ...row.sessions.map(removeSession),
    ...(row.invitation === undefined ? [] : [removeInvitation(row.invitation)]),
  ];
}

export function removeInvitation(name: string): Change {
  return { kind: "delete", item: invitationKey(name), expect: { kind: "anything" } };
}
