import { count, maybe, parsed, record, type Of } from "../../rules/shape/shape.ts";
import { parseBase32 } from "../identity/one-time-code.ts";
import { plainText, resourceName } from "../resource/name.ts";
import type { ItemKey } from "../storage/port.ts";
import { digest } from "./row-forms.ts";

/** A link with which a user sets a password, once. Stores only the digest of its token. */
export const invitationRow = record({
  digest,
  user: resourceName,
  expires: count,
  /** Makes the user's one-time codes. Stays the same each time that the link is read. */
  secret: parsed((text) => (parseBase32(text) === undefined ? undefined : text), "base32"),
  /** Its author, who must be allowed to make it until it is used. Undefined for root. */
  by: maybe(plainText),
  /** The generation of the author's credential, if they signed in through a connector: another person may get the same name. */
  by_generation: maybe(plainText),
});

export type InvitationRow = Of<typeof invitationRow>;

export function invitationKey(name: string): ItemKey {
  return { kind: "invitation", name };
}
