import { randomBytes } from "node:crypto";
import type { Thumbprint } from "../identity/proof.ts";
import type { ResourceName } from "../resource/name.ts";
import type { Change } from "../storage/port.ts";
import type { Caller } from "./caller.ts";
import { overtaken, put } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import { mostSessions, putCredential, type Credential, type CredentialRow } from "./credential-row.ts";
import { bodyOf } from "./row-forms.ts";
import { rolesOfSession, sessionMessage } from "./session-message.ts";
import { livingOf, removeSession, sessionKey, sessionRow, type SessionRow } from "./session-row.ts";
import { digestOfToken, nameOfDigest } from "./token-digest.ts";

export const sessionSeconds: number = 12 * 3600;
const tokenBytes = 32;

export type Beginning = {
  readonly user: ResourceName;
  readonly client: string;
  readonly address: string;
  readonly key: Thumbprint;
  /** The user's credential as it was read; undefined for a user without one. */
  readonly credential: Credential | undefined;
  readonly after: CredentialRow;
  /** KIND/NAME, and the roles that it gives; undefined for a password. */
  readonly through: { readonly connector: string; readonly roles: readonly ResourceName[] } | undefined;
  readonly checks: readonly Change[];
};

export type SignedIn = { readonly token: string; readonly session: ReturnType<typeof sessionMessage> };

/** Begins a session, bound to the key. The audit names the user. */
export async function tryToBeginSession(
  context: AuthContext,
  caller: Caller,
  { user, client, address, key, credential, after, through, checks }: Beginning,
): Promise<SignedIn | typeof overtaken> {
  const { store, now } = context;
  const token = randomBytes(tokenBytes).toString("hex");
  const name = nameOfDigest(digestOfToken(token));
  const row: SessionRow = {
    digest: digestOfToken(token),
    user,
    key,
    generation: after.generation,
    began: now(),
    until: now() + sessionSeconds,
    address,
    client,
    connector: through?.connector ?? "",
    roles: through?.roles,
  };
  // Drops sessions that are over, and the oldest beyond the limit.
  const kept = (await livingOf(store, after.sessions, now())).slice(-(mostSessions - 1));
  const over = [...new Set([...(credential?.row.sessions ?? []), ...after.sessions])].filter((one) => !kept.includes(one));
  const changes: readonly Change[] = [
    putCredential(user, { ...after, sessions: [...kept, name] }, credential),
    put(sessionKey(name), bodyOf(sessionRow, row), undefined),
    ...over.map(removeSession),
    ...checks,
  ];
  const way = through === undefined ? "" : ` through ${through.connector}`;
  const detail = `${user}${client === "" ? "" : ` by ${client}`}${way}`;
  const audit = [{ event: "session.began", kind: "session", name, detail }] as const;
  const committed = await commitFor(asUser(caller, { user, session: name, key }), { changes, audit }, context);
  if (committed.kind === "overtaken") return overtaken;
  return { token, session: sessionMessage({ name, row, roles: await rolesOfSession(store, row) }) };
}

type Signing = { readonly user: string; readonly session: string; readonly key: Thumbprint };

function asUser(caller: Caller, { user, session, key }: Signing): Caller {
  if (caller.kind !== "visitor") return caller;
  const { proxy, address } = caller;
  return { kind: "person", user, roles: [], connector: "", session, key, proxy, address };
}
