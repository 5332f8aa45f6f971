import { byDefault, record, truth, whole, type Of, type Shape } from "../../rules/shape/shape.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { InvitationService } from "../api/generated/svc/v1/session_pb.ts";
import { beyond, nothing, together } from "../access/grant.ts";
import { judge } from "../access/judge.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { codePattern, makeSecret, stepOf } from "../identity/one-time-code.ts";
import { resourceName } from "../resource/name.ts";
import type { Change, Committed, Store } from "../storage/port.ts";
import { askedUser } from "./asked-user.ts";
import { actorOf, type Caller } from "./caller.ts";
import { asRead, overtaken, put, retrying, type Told } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { AuthContext } from "./context.ts";
import { findCredential, newCredential, putCredential, type Credential, type CredentialRow } from "./credential-row.ts";
import { refuseEscalation } from "./grants.ts";
import type { HandlersOf } from "./handlers.ts";
import { invitationKey, invitationRow, type InvitationRow } from "./invitation-row.ts";
import { networkOf } from "./network-of.ts";
import { keepPassword, leastCharacters, mostPasswordBytes } from "./password.ts";
import { requirePermission, rolesOf } from "./permission.ts";
import { removeInvitation } from "./remove-credential.ts";
import { findRoles } from "./roles.ts";
import { bodyOf, digest, findRow, readFields, readSent, type Stored } from "./row-forms.ts";
import { secretText } from "./secret-text.ts";
import { rolesIn } from "./session-message.ts";
import { findSession, livingOf, removeSession } from "./session-row.ts";
import { missingResource } from "./stored-resource.ts";
import { timestamp } from "./timestamp.ts";
import { digestOfToken, isSameDigest, nameOfDigest } from "./token-digest.ts";

const busy = { message: "it changed while it was being written" };
const ttl: Shape<number> = whole(60, 7 * 86_400, "60 to 604800 seconds: a minute to 7 days");

const asked = record({
  user: resourceName,
  tokenDigest: digest,
  ttlSeconds: ttl,
  reset: byDefault(truth, false),
});
type Asked = Of<typeof asked>;

const taken = record({
  password: secretText(
    (text) => Array.from(text.normalize("NFC")).length >= leastCharacters && Buffer.byteLength(text) <= mostPasswordBytes,
    `at least ${leastCharacters} characters, and at most ${mostPasswordBytes} bytes`,
  ),
  code: byDefault(
    secretText((text) => text === "" || codePattern.test(text), "six digits"),
    "",
  ),
});

export const invitationHandlers: HandlersOf<typeof InvitationService> = {
  createInvitation: async (context, caller, request) => {
    requirePermission(caller, { kind: "user", verb: "update" });
    const sent = { ...request, user: askedUser(request.user), ttlSeconds: Number(request.ttlSeconds) };
    const wanted = readFields(asked, sent, "the invitation");
    return { expires: timestamp(await retrying(() => tryToCreate(context, caller, wanted), busy)) };
  },
  readInvitation: async (context, _caller, { token }) => {
    const { row } = await findInvitation(context, token);
    const { cluster, secondFactor } = context;
    return {
      user: row.user,
      clusterName: cluster.name,
      secret: secondFactor === "otp" ? row.secret : "",
      expires: timestamp(row.expires),
    };
  },
  takeInvitation: async (context, caller, { token, password, code }) => {
    const { people, secondFactor, now } = context;
    const { row } = await findInvitation(context, token);
    const wanted = readSent(taken, { password, code }, "what was chosen");
    const step = secondFactor === "otp" ? stepOf(wanted.code, row.secret, now()) : undefined;
    if (secondFactor === "otp" && step === undefined) throw wrongCode();
    const { proxy, address } = caller.kind === "visitor" ? caller : { proxy: "", address: "" };
    const kept = await people.hashing.run({ proxy, network: networkOf(address) }, () => keepPassword(wanted.password));
    const chosen = secondFactor === "otp" ? { password: kept, secret: row.secret, last_step: step } : { password: kept };
    return { user: await retrying(() => tryToTake(context, caller, { token, chosen }), busy) };
  },
};

/** The user must exist, and have no permission that the caller lacks: with the link the caller could sign in as them. */
async function tryToCreate(context: AuthContext, caller: Caller, wanted: Asked): Promise<number | typeof overtaken> {
  const { store, now } = context;
  const { user, tokenDigest, reset } = wanted;
  const [names, credential] = await Promise.all([rolesIn(store, user), findCredential(store, user)]);
  if (names === undefined) throw missingResource("user", user);
  const { found } = await findRoles(store, names);
  refuseEscalation(
    rolesOf(caller),
    { before: nothing, after: together(found) },
    {
      message: `a link for ${user} would give`,
      command: `sudo tctl users reset ${user}`,
    },
  );
  const name = nameOfDigest(tokenDigest);
  const expires = now() + wanted.ttlSeconds;
  const by = caller.kind === "person" ? caller.user : undefined;
  const author = by === undefined || (await rolesIn(store, by)) !== undefined ? undefined : await findCredential(store, by);
  const row: InvitationRow = {
    digest: tokenDigest,
    user,
    expires,
    secret: makeSecret(),
    by,
    by_generation: author?.row.generation,
  };
  const changes: readonly Change[] = [
    putCredential(user, { ...(reset ? newCredential() : (credential?.row ?? newCredential())), invitation: name }, credential),
    put(invitationKey(name), bodyOf(invitationRow, row), undefined),
    ...withdraw(credential?.row),
    ...(reset ? endSessions(credential?.row) : []),
  ];
  const told = { kind: "user", name: user } as const;
  const audit: readonly Told[] = [
    ...(reset ? [{ ...told, event: "password.voided", detail: "and every session ended" }] : []),
    { ...told, event: "invitation.created", detail: `${name}, until ${printInstant(expires)}` },
  ];
  const commit = (): Promise<Committed> => commitFor(caller, { changes, audit }, context);
  const committed = reset ? await voiding(context, credential, commit) : await commit();
  if (committed.kind === "done") return expires;
  if (committed.change === 1) {
    throw new Fault("resource-exists", { message: `there is an invitation ${name} already`, hint: "make another one" });
  }
  return overtaken;
}

/** Voids the password, also in any older backup that is restored later. */
function voiding(
  { removals, now }: AuthContext,
  credential: Credential | undefined,
  commit: () => Promise<Committed>,
): Promise<Committed> {
  if (credential === undefined) return commit();
  const { name, revision } = credential.item;
  return removals.during({ kind: "password", at: now(), name, revision, until: undefined }, commit);
}

function withdraw(row: CredentialRow | undefined): readonly Change[] {
  return row?.invitation === undefined ? [] : [removeInvitation(row.invitation)];
}

function endSessions(row: CredentialRow | undefined): readonly Change[] {
  return (row?.sessions ?? []).map(removeSession);
}

const longestToken = 256;

/** Every reason gives the same fault, so that guessing tells nothing. */
async function findInvitation({ store, now }: Pick<AuthContext, "store" | "now">, token: string): Promise<Stored<InvitationRow>> {
  if (token === "" || token.length > longestToken) throw refused();
  const tokenDigest = digestOfToken(token);
  const found = await findRow(store, invitationRow, invitationKey(nameOfDigest(tokenDigest)));
  if (found === undefined || !isSameDigest(found.row.digest, tokenDigest) || now() >= found.row.expires) throw refused();
  const names = await rolesIn(store, found.row.user);
  if (names === undefined || !(await mayStillInvite({ store, now }, found.row, names))) throw refused();
  return found;
}

/** Roles may have changed since the link was made, so its author must still be allowed to make it. */
async function mayStillInvite(
  { store, now }: Pick<AuthContext, "store" | "now">,
  { by, by_generation: generation }: InvitationRow,
  names: readonly string[],
): Promise<boolean> {
  if (by === undefined) return true;
  const own = (await rolesIn(store, by)) ?? (await rolesThrough(store, { user: by, generation }, now()));
  const granter = (await findRoles(store, own)).found;
  const after = together((await findRoles(store, names)).found);
  return (
    judge(granter, { kind: "user", verb: "update" }).kind === "allowed" &&
    beyond(granter, { before: nothing, after }).length === 0
  );
}

/** The roles of somebody who is signed in through a connector. */
async function rolesThrough(
  store: Pick<Store, "get">,
  { user, generation }: { readonly user: string; readonly generation: string | undefined },
  now: UnixSeconds,
): Promise<readonly string[]> {
  const credential = await findCredential(store, user);
  if (credential?.row.generation !== generation) return [];
  const last = (await livingOf(store, credential?.row.sessions ?? [], now)).at(-1);
  return (last === undefined ? undefined : await findSession(store, last))?.roles ?? [];
}

type Taking = { readonly token: string; readonly chosen: Partial<CredentialRow> };

async function tryToTake(context: AuthContext, caller: Caller, { token, chosen }: Taking): Promise<string | typeof overtaken> {
  const { row, item } = await findInvitation(context, token);
  const credential = await findCredential(context.store, row.user);
  // The invitation was withdrawn meanwhile.
  if (credential?.row.invitation !== item.name) throw refused();
  const changes: readonly Change[] = [
    { kind: "delete", item: invitationKey(item.name), expect: asRead(item) },
    putCredential(row.user, { ...newCredential(), ...chosen }, credential),
    ...endSessions(credential.row),
  ];
  const detail = `${item.name}, by ${actorOf(caller)}`;
  const audit = [{ event: "invitation.taken", kind: "user", name: row.user, detail }] as const;
  const committed = await commitFor(caller, { changes, audit }, context);
  return committed.kind === "done" ? row.user : overtaken;
}

function refused(): Fault {
  return new Fault("invitation-refused", {
    message: "the link cannot be used: it is unknown, expired, withdrawn, or was used before",
    hint: "ask an administrator for a new one: `sudo tctl users reset USER` on the auth host",
  });
}

function wrongCode(): Fault {
  return new Fault("sign-in-refused", {
    message: "the one-time code is not the one of now, made from the secret of this link",
    hint: "put the secret into an authenticator, and type the code that it shows; is the clock of that right?",
  });
}
