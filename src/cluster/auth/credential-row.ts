import { randomBytes } from "node:crypto";
import { byDefault, count, listOf, maybe, parsed, record, type Of, type Shape } from "../../rules/shape/shape.ts";
import { line } from "../../rules/settings/read-text.ts";
import { connectorPath, plainText } from "../resource/name.ts";
import { parseBase32 } from "../identity/one-time-code.ts";
import type { Change, ItemKey, Store } from "../storage/port.ts";
import { put } from "./changes.ts";
import { parseKeptPassword, type KeptPassword } from "./password.ts";
import { bodyOf, findRow, type Stored } from "./row-forms.ts";

const keptPassword: Shape<KeptPassword> = parsed(parseKeptPassword, "argon2id, as auth writes it");
const codeSecret: Shape<string> = parsed((text) => (parseBase32(text) === undefined ? undefined : text), "base32");

/** The number of sessions that a user may have at once. The next sign-in ends the oldest. */
export const mostSessions = 32;

/** How a user signs in. It lies beside the resource, and no call shows it. */
export const credentialRow = record({
  /** Changes whenever the password is set or voided, which ends all sessions. */
  generation: plainText,
  password: maybe(keptPassword),
  /** Makes the one-time codes. */
  secret: maybe(codeSecret),
  /** The step of the last used code. It and older ones are refused. */
  last_step: maybe(count),
  /** Names of sessions, the oldest first. Some may have ended. */
  sessions: byDefault(listOf(plainText, mostSessions), []),
  /** The name of the open invitation. */
  invitation: maybe(plainText),
  /** The person who signs in through a connector, as its provider knows them. Such a user has no resource and no password. */
  identity: maybe(record({ connector: connectorPath, issuer: line, subject: line })),
});

export type CredentialRow = Of<typeof credentialRow>;

export function credentialKey(user: string): ItemKey {
  return { kind: "credential", name: user };
}

export type Credential = Stored<CredentialRow>;

/** A credential without a password. */
export function newCredential(): CredentialRow {
  const none = { password: undefined, secret: undefined, last_step: undefined, invitation: undefined, identity: undefined };
  return { generation: randomBytes(8).toString("hex"), sessions: [], ...none };
}

/** Undefined if the user was never invited. */
export function findCredential(store: Pick<Store, "get">, user: string): Promise<Credential | undefined> {
  return findRow(store, credentialRow, credentialKey(user));
}

export function putCredential(user: string, row: CredentialRow, before: Credential | undefined): Change {
  return put(credentialKey(user), bodyOf(credentialRow, row), before?.item);
}
