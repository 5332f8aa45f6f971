import { byDefault, count, listOf, maybe, parsed, record, type Of, type Shape } from "../../rules/shape/shape.ts";
import { plainText } from "../resource/name.ts";
import { parseBase32 } from "../identity/one-time-code.ts";
import type { Change, ItemKey, Store } from "../storage/port.ts";
import { put } from "./changes.ts";
import { parseKeptPassword, type KeptPassword } from "./password.ts";
import { bodyOf, findRow, type Stored } from "./row-forms.ts";

const keptPassword: Shape<KeptPassword> = parsed(parseKeptPassword, "argon2id, as auth writes it");
const codeSecret: Shape<string> = parsed((text) => (parseBase32(text) === undefined ? undefined : text), "base32");

/** Of one user at the same time: whoever signs in once more ends the oldest. */
export const mostSessions = 32;

/** How a user proves who they are. It lies beside the resource, and is shown to nobody. */
export const credentialRow = record({
  /** Another one with each password, and with each that becomes void: sessions of an earlier one are over. */
  generation: plainText,
  password: maybe(keptPassword),
  /** Of the one-time codes. */
  secret: maybe(codeSecret),
  /** Of the last code that was used: neither it nor an older one is good again. */
  last_step: maybe(count),
  /** Which there are, the oldest first; some may be over. */
  sessions: byDefault(listOf(plainText, mostSessions), []),
  /** The one that is open. */
  invitation: maybe(plainText),
});

export type CredentialRow = Of<typeof credentialRow>;

export function credentialKey(user: string): ItemKey {
  return { kind: "credential", name: user };
}

export type Credential = Stored<CredentialRow>;

/** Undefined: nobody was ever invited by that name. */
export function findCredential(store: Pick<Store, "get">, user: string): Promise<Credential | undefined> {
  return findRow(store, credentialRow, credentialKey(user));
}

export function putCredential(user: string, row: CredentialRow, before: Credential | undefined): Change {
  return put(credentialKey(user), bodyOf(credentialRow, row), before?.item);
}
