import { parseBase32 } from "../identity/one-time-code.ts";
import { mapping, matching, maybe, needed, plainText, seconds, type Form, type ValuesOf } from "../resource/form.ts";
import { resourceName } from "../resource/name.ts";
import type { ItemKey } from "../storage/port.ts";
import { digest } from "./row-forms.ts";

const keys = {
  digest: needed(digest),
  user: needed(resourceName),
  expires: needed(seconds),
  /** Of the one-time codes that whoever takes it will use: the same, however often the link is read. */
  secret: needed(matching((text) => (parseBase32(text) === undefined ? undefined : text), "base32")),
  /** Who made it, and has to be allowed to for as long as it is open. Undefined: root. */
  by: maybe(plainText),
};

/** A link that makes a password, once. Of its token there is the digest alone. */
export const invitationRow: Form<ValuesOf<typeof keys>> = mapping(keys);
export type InvitationRow = ValuesOf<typeof keys>;

export function invitationKey(name: string): ItemKey {
  return { kind: "invitation", name };
}
