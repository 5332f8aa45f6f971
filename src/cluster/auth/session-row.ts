import { mapping, needed, orElse, plainText, seconds, type Form, type ValuesOf } from "../resource/form.ts";
import { resourceName } from "../resource/name.ts";
import type { Change, ItemKey, Store } from "../storage/port.ts";
import { digest, rowOf, thumbprint } from "./row-forms.ts";

const keys = {
  digest: needed(digest),
  user: needed(resourceName),
  /** Which every call in it is proven with. */
  key: needed(thumbprint),
  /** Of the credential that it began with. */
  generation: needed(plainText),
  began: needed(seconds),
  until: needed(seconds),
  address: orElse(plainText, ""),
  client: orElse(plainText, ""),
};

/** That somebody is signed in. Of the token there is the digest alone. */
export const sessionRow: Form<ValuesOf<typeof keys>> = mapping(keys);
export type SessionRow = ValuesOf<typeof keys>;

export function sessionKey(name: string): ItemKey {
  return { kind: "session", name };
}

export async function findSession(store: Pick<Store, "get">, name: string): Promise<SessionRow | undefined> {
  const item = await store.get(sessionKey(name));
  return item === undefined ? undefined : rowOf(sessionRow, item);
}

export function removeSession(name: string): Change {
  return { kind: "delete", item: sessionKey(name), expect: { kind: "anything" } };
}
