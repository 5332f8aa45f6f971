import { count, maybe, parsed, record, type Of } from "../../rules/shape/shape.ts";
import { parseBase32 } from "../identity/one-time-code.ts";
import { plainText, resourceName } from "../resource/name.ts";
import type { ItemKey } from "../storage/port.ts";
import { digest } from "./row-forms.ts";

/** A link that makes a password, once. Of its token there is the digest alone. */
export const invitationRow = record({
  digest,
  user: resourceName,
  expires: count,
  /** Of the one-time codes that whoever takes it will use: the same, however often the link is read. */
  secret: parsed((text) => (parseBase32(text) === undefined ? undefined : text), "base32"),
  /** Who made it, and has to be allowed to for as long as it is open. Undefined: root. */
  by: maybe(plainText),
});

export type InvitationRow = Of<typeof invitationRow>;

export function invitationKey(name: string): ItemKey {
  return { kind: "invitation", name };
}
