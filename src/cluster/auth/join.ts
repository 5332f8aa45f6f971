import { byDefault, listOf, record, type Of } from "../../rules/shape/shape.ts";
import { plainText } from "../resource/name.ts";
import { randomUUID, type KeyObject } from "node:crypto";
import type { JoinRequest, JoinService } from "../api/generated/svc/v1/join_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { instanceKinds, parseInstanceId, type InstanceId } from "../identity/names.ts";
import { pinOf, type Pin } from "../identity/pin.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Caller } from "./caller.ts";
import { keyIn } from "./certify.ts";
import { put, retrying, type overtaken, type Told } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { instanceKey, instanceRow, keyOwner, keyOwnerKey } from "./instance-row.ts";
import { issueIdentity, type Identity } from "./issue-identity.ts";
import { bodyOf, findRow, hostname, readFields, type Stored } from "./row-forms.ts";
import { digestOfToken, isSameDigest, nameOfDigest } from "./token-digest.ts";
import { tokenKey, tokenRow, type TokenRow } from "./token-row.ts";

const aboutItself = record({
  hostname,
  services: byDefault(listOf(plainText, 16), []),
  version: byDefault(plainText, ""),
});
type AboutItself = Of<typeof aboutItself>;

/** How long a host whose answer was lost may join again with the same key, even if its first join used up the token. */
const repeatSeconds = 3600;
/** Many hosts may use one token at the same time. */
const mostTries = 20;

/** Enough: a token of ours has 64 characters, 32 bytes in hex. */
const longestToken = 256;

export const join: HandlersOf<typeof JoinService>["join"] = async (context, caller, request) => {
  const about = aboutIn(request);
  const digest = await requireToken(context, request);
  const publicKey = await keyIn(request.certificateRequest);
  const joining = { about, publicKey, key: pinOf(publicKey), digest };
  const busy = { message: "many join by this token at the same time", mostTries };
  return { identity: await retrying(() => tryToJoin(context, caller, joining), busy) };
};

type Telling = Pick<JoinRequest, "hostname" | "services" | "version">;

/** What an instance says about itself. */
export function aboutIn(request: Telling): AboutItself {
  return readFields(aboutItself, request, "what the host says of itself");
}

/** Checks the token before the certificate request, whose answer costs a signature. */
export async function requireToken(context: Pick<AuthContext, "store">, request: JoinRequest): Promise<string> {
  const { token, services } = request;
  if (token.length > longestToken) throw refusedToken(services);
  const digest = digestOfToken(token);
  await findToken(context, digest, services);
  return digest;
}

type Joining = { readonly about: AboutItself; readonly publicKey: KeyObject; readonly key: Pin; readonly digest: string };

async function tryToJoin(context: AuthContext, caller: Caller, joining: Joining): Promise<Identity | typeof overtaken> {
  const { store, now } = context;
  const [token, owner] = await Promise.all([
    findToken(context, joining.digest, joining.about.services),
    findRow(store, keyOwner, keyOwnerKey(joining.key)),
  ]);
  if (owner !== undefined) return joinAgain(context, caller, { joining, token: token.row, id: owner.row.instance });
  if (isOver(token.row, now()) || isUsedUp(token.row)) throw refusedToken(joining.about.services);
  refuseOtherKind(token.row, joining.about);
  return joinAnew(context, caller, { joining, token });
}

type Token = Stored<TokenRow>;

async function findToken({ store }: Pick<AuthContext, "store">, digest: string, services: readonly string[]): Promise<Token> {
  const token = await findRow(store, tokenRow, tokenKey(nameOfDigest(digest)));
  if (token === undefined || !isSameDigest(token.row.digest, digest)) throw refusedToken(services);
  return token;
}

function isOver({ expires }: TokenRow, now: UnixSeconds): boolean {
  return now >= expires;
}

function isUsedUp({ uses, used }: TokenRow): boolean {
  return uses > 0 && used >= uses;
}

/** A token of another kind than the host's is refused, and not used up. */
function refuseOtherKind({ type }: TokenRow, { services }: AboutItself): void {
  const [asked = type] = services;
  if (asked === type || services.includes(type)) return;
  throw new Fault("join-refused", {
    message: `the token is for the kind ${type}, and this host joins as a ${quote(asked)}`,
    hint: `\`tctl tokens add --type=${quote(asked)}\` on the auth host makes one that fits`,
  });
}

type Again = { readonly joining: Joining; readonly token: TokenRow; readonly id: string };

/** The same key gets the same instance: the first answer was lost, or the host joins again. */
async function joinAgain(
  context: AuthContext,
  caller: Caller,
  { joining, token, id }: Again,
): Promise<Identity | typeof overtaken> {
  const before = await findRow(context.store, instanceRow, instanceKey(id));
  const instance = parseInstanceId(id);
  if (before === undefined || instance === undefined || before.row.removed !== undefined) throw refusedKey();
  const { row } = before;
  const isRepeated = row.token === nameOfDigest(joining.digest) && context.now() < row.joined + repeatSeconds;
  if (!isRepeated && (isOver(token, context.now()) || isUsedUp(token))) throw refusedToken(joining.about.services);
  if (row.kind !== token.type) throw refusedToken(joining.about.services);
  const issuing = {
    id: instance,
    publicKey: joining.publicKey,
    row: { ...row, ...joining.about, authority: context.authorities.signing.pin },
    before: before.item,
  };
  return issueIdentity(context, caller, { ...issuing, changes: [], audit: [] });
}

type Anew = { readonly joining: Joining; readonly token: Token };

function joinAnew(
  context: AuthContext,
  caller: Caller,
  { joining, token: { item, row: token } }: Anew,
): Promise<Identity | typeof overtaken> {
  const { about, key, publicKey } = joining;
  const id = randomUUID() as InstanceId;
  const row = {
    ...about,
    kind: token.type,
    labels: token.labels,
    ephemeral: token.ephemeral,
    key,
    current: undefined,
    authority: context.authorities.signing.pin,
    joined: context.now(),
    token: item.name,
    cloned: undefined,
    removed: undefined,
  };
  const changes = [
    put(tokenKey(item.name), bodyOf(tokenRow, { ...token, used: token.used + 1 }), item),
    put(keyOwnerKey(key), bodyOf(keyOwner, { instance: id }), undefined),
  ];
  const audit: readonly Told[] = [{ event: "token.used", kind: "token", name: item.name, detail: `by ${about.hostname}` }];
  return issueIdentity(context, caller, { id, publicKey, row, before: undefined, changes, audit });
}

/** Every reason gives the same fault, so that guessing tells nothing. */
function refusedToken(services: readonly string[]): Fault {
  const kind = instanceKinds.find((one) => services.includes(one)) ?? "node";
  return new Fault("join-refused", {
    message: "the token cannot be used to join: it is unknown, expired, used up, or of another kind",
    hint: `\`tctl tokens add --type=${kind}\` on the auth host makes a new one`,
  });
}

function refusedKey(): Fault {
  return new Fault("join-refused", {
    message: "the instance with this key was removed from the cluster, and its key joins no more",
    hint: "`svc join --replace` makes a new key",
  });
}
