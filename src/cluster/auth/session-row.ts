import { byDefault, count, maybe, record, type Of } from "../../rules/shape/shape.ts";
import { connectorPath, plainText, resourceName } from "../resource/name.ts";
import { roleNames } from "../resource/user.ts";
import type { Change, ItemKey, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { digest, findRow, thumbprint } from "./row-forms.ts";
import { deletion } from "./changes.ts";

/** A session. Stores only the digest of its token. */
export const sessionRow = record({
  digest,
  user: resourceName,
  /** Every call of the session is proven with this key. */
  key: thumbprint,
  /** The credential's generation when the session began. */
  generation: plainText,
  began: count,
  until: count,
  address: byDefault(plainText, ""),
  client: byDefault(plainText, ""),
  /** KIND/NAME of the connector that it began through; empty for a password. */
  connector: byDefault(connectorPath, ""),
  /** The roles that the connector gave; undefined for a password, whose user's resource has them. */
  roles: maybe(roleNames),
});

export type SessionRow = Of<typeof sessionRow>;

export function sessionKey(name: string): ItemKey {
  return { kind: "session", name };
}

export async function findSession(store: Pick<Store, "get">, name: string): Promise<SessionRow | undefined> {
  return (await findRow(store, sessionRow, sessionKey(name)))?.row;
}

/** The names of the sessions that have not ended. */
export async function livingOf(
  store: Pick<Store, "get">,
  names: readonly string[],
  now: UnixSeconds,
): Promise<readonly string[]> {
  const living: string[] = [];
  for (const name of names) {
    const row = await findSession(store, name);
    if (row !== undefined && row.until > now) living.push(name);
  }
  return living;
}

export function removeSession(name: string): Change {
  return deletion(sessionKey(name));
}
