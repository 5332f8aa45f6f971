import { randomBytes } from "node:crypto";
import type { SessionService } from "../api/generated/svc/v1/session_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { line, parseLine } from "../../rules/settings/read-text.ts";
import { printInstant } from "../../rules/window/instant.ts";
import { isClusterFault } from "../../rules/fault/tell-fault.ts";
import { rolesFor } from "../resource/map-claims.ts";
import { plainText, type ResourceName } from "../resource/name.ts";
import { mostRoles } from "../resource/user.ts";
import { byDefault, matching, record } from "../../rules/shape/shape.ts";
import { tryToBeginSession, type SignedIn } from "./begin-session.ts";
import type { Caller } from "./caller.ts";
import { overtaken, retrying } from "./changes.ts";
import { commitFor } from "./commit.ts";
import { connectorCalled, connectorOf, isByForm, kindAt, nameOf, stateIn, type Ready, type SignInKind } from "./connectors.ts";
import type { AuthContext } from "./context.ts";
import { findCredential, newCredential, type Credential, type CredentialRow } from "./credential-row.ts";
import type { HandlersOf } from "./handlers.ts";
import { networkOf, parseAddress } from "./network-of.ts";
import {
  digestOf,
  faultOf,
  isCode,
  isDigestOf,
  mostOpenings,
  mostTries,
  newCode,
  refusalOf,
  type Identity,
  type Pending,
  type Refusal,
} from "./pending-sign-ins.ts";
import type { Claimed } from "./provider.ts";
import { readSent } from "./row-forms.ts";
import { livingOf } from "./session-row.ts";
import { visitorWithProof, type Proven } from "./sign-in.ts";
import { signInPage, type Told } from "./sign-in-page.ts";
import { isReserved } from "./stored-resource.ts";
import { timestamp } from "./timestamp.ts";

type Handled = "beginSignIn" | "awaitSignIn" | "finishSignIn" | "visitSignIn";

/** The path that `tsh` prints. The proxy hands requests for it on to auth. */
const signInPath = "/web/sign-in/";

const begun = record({ connector: line, client: byDefault(plainText, "") });
const named = record({ id: matching(/^[0-9a-f]{32}$/, "the id of a sign-in") });

/**
 * Signs people in through an identity provider. `tsh` begins and ends a sign-in, and proves both by one key. A cookie binds the browser between to
 * the visit, and its last page shows a code. Without the code, somebody could begin a sign-in, send its address to another person, and get that
 * person's session.
 */
export const connectorSignIn: Pick<HandlersOf<typeof SessionService>, Handled> = {
  beginSignIn: async (context, caller, { connector, client }) => {
    const { proof, proxy, address } = visitorWithProof(caller);
    const asked = readSent(begun, { connector, client }, "the sign-in");
    const { kind, name, redirectUrl } = await connectorCalled(context.store, asked.connector, "tsh login --auth=");
    const pending = await context.people.pending.begin({
      connector: { kind, name },
      purpose: "session",
      client: asked.client,
      key: proof.key,
      address,
      from: `${proxy} ${networkOf(address)}`,
      now: context.now(),
    });
    if (pending === undefined) throw tooMany();
    return { id: pending.id, url: addressOf(pending, redirectUrl), until: timestamp(pending.until) };
  },
  awaitSignIn: async (context, caller, { id }) => {
    const { at } = await ownOf(context, visitorWithProof(caller), id);
    if (at.kind === "refused") throw faultOf(at.fault);
    return { ready: at.kind === "ready" };
  },
  finishSignIn: async (context, caller, { id, code }) => {
    const proven = visitorWithProof(caller);
    const take = (): Promise<Taken | typeof overtaken> => tryToTake(context, caller, { proven, id, code });
    const { pending, at } = await retrying(take, { message: "this code is being typed more than once at the same time" });
    const { revision } = await connectorOf(context.store, pending.connector);
    if (revision !== at.revision) throw refused(`the connector ${nameOf(pending.connector)} was changed meanwhile`);
    const signedIn = await beginSession(context, caller, { pending, identity: at.identity, proven });
    context.people.signIns.ok += 1;
    return signedIn;
  },
  visitSignIn: async (context, caller, request) => {
    if (caller.kind !== "instance") throw onlyProxies();
    const visitor: Caller = { kind: "visitor", proof: undefined, proxy: caller.id, address: parseAddress(request.address) ?? "" };
    try {
      if (request.path.startsWith(signInPath)) return await open(context, request.path.slice(signInPath.length));
      const kind = kindAt(request.path);
      if (kind !== undefined) return await close(context, visitor, { ...request, kind });
      return page(404, { title: "There is nothing here", lines: ["Begin again: tsh login"] });
    } catch (thrown) {
      if (!isClusterFault(thrown)) throw thrown;
      return page(400, { title: "You are not signed in", lines: [`Why: ${thrown.message}.`, `What to do: ${thrown.hint}`] });
    }
  },
};

type Taken = { readonly pending: Pending; readonly at: Extract<Pending["at"], { readonly kind: "ready" }> };
type Typed = { readonly proven: Proven; readonly id: string; readonly code: string };

/** Takes a sign-in once, with the right code. Stores each wrong try before it answers, so that tries at the same time count one by one. */
async function tryToTake(context: AuthContext, caller: Caller, { proven, id, code }: Typed): Promise<Taken | typeof overtaken> {
  const pending = await ownOf(context, proven, id);
  const { at } = pending;
  if (at.kind === "refused") throw faultOf(at.fault);
  if (at.kind !== "ready") throw notDone();
  if (isCode(code, at.code)) return (await context.people.pending.end(pending)) ? { pending, at } : overtaken;
  const tries = at.tries + 1;
  if (tries < mostTries) {
    if ((await context.people.pending.move(pending, { at: { ...at, tries } })) === undefined) return overtaken;
    throw wrongCode(mostTries - tries);
  }
  const fault = refused(`a wrong code was typed ${mostTries} times`);
  if (!(await refuse(context, { caller, pending, fault }))) return overtaken;
  throw fault;
}

/** The address to open in a browser. */
export function addressOf({ id }: Pending, redirectUrl: string): string {
  return new URL(`${signInPath}${id}`, redirectUrl).href;
}

type Visited = {
  readonly status: number;
  readonly location?: string;
  readonly cookie?: string;
  readonly crossSite?: boolean;
  readonly page?: string;
};

function page(status: number, told: Told): Visited {
  return { status, page: signInPage(told) };
}

/** Sends the browser to the provider, with a new cookie. Only the last browser that opened the address can finish. */
async function open(context: AuthContext, id: string): Promise<Visited> {
  const { people, now } = context;
  const found = /^[0-9a-f]{32}$/.test(id) ? await people.pending.find(id, now()) : undefined;
  if (found === undefined) throw unknownSignIn();
  if (found.at.kind === "refused") throw faultOf(found.at.fault);
  if (found.at.kind !== "begun" && found.at.kind !== "away") throw refused("this address was used before");
  if (found.opened >= mostOpenings) throw refused(`this address was opened ${mostOpenings} times`);
  const pending = await people.pending.move(found, { opened: found.opened + 1 });
  if (pending === undefined) throw openedTwice();
  const { url, visit } = await beginVisit(context, pending);
  const cookie = randomBytes(32).toString("hex");
  const away = { kind: "away", visit, cookie: digestOf(cookie).toString("hex") } as const;
  if ((await people.pending.move(pending, { at: away })) === undefined) throw openedTwice();
  return { status: 302, location: url, cookie, crossSite: isByForm(pending.connector.kind) };
}

function openedTwice(): Fault {
  return refused("this address was opened in another browser at the same time");
}

/**
 * A failure ends the sign-in if its connector is gone, or if it is a test, whose author waits for the reason. Otherwise the person may try again: the
 * provider may be away.
 */
async function beginVisit(context: AuthContext, pending: Pending): ReturnType<Ready["begin"]> {
  try {
    return await (await connectorOf(context.store, pending.connector)).begin({ ...context, id: pending.id });
  } catch (thrown) {
    if (isClusterFault(thrown)) {
      if (thrown.code === "resource-missing" || pending.purpose === "test")
        await context.people.pending.move(pending, { at: { kind: "refused", fault: refusalOf(thrown) } });
      const told = { connector: nameOf(pending.connector), fault: thrown.code, why: thrown.message };
      context.log("warning", "a sign-in through an identity provider could not begin", told);
    }
    throw thrown;
  }
}

type Request = { readonly kind: SignInKind; readonly query: string; readonly cookie: string };

/** Handles the callback: the provider has sent the browser back. */
async function close(context: AuthContext, caller: Caller, { kind, query, cookie }: Request): Promise<Visited> {
  const { people, store, now } = context;
  const found = await people.pending.findByState(stateIn(kind, query), now());
  if (found?.at.kind !== "away" || found.connector.kind !== kind) throw unknownSignIn();
  const { visit } = found.at;
  if (!isDigestOf(Buffer.from(found.at.cookie, "hex"), cookie)) {
    throw refused("this browser did not begin this sign-in: its cookie is missing, or another one's");
  }
  // Moves the sign-in on, so that each callback counts once.
  const pending = await people.pending.move(found, { at: { kind: "back" } });
  if (pending === undefined) throw unknownSignIn();
  try {
    const connector = await connectorOf(store, pending.connector);
    const claimed = await connector.end(context, { query, visit });
    if (pending.purpose === "test") return await endTest(context, pending, claimed);
    const identity = identityFrom(nameOf(connector), claimed);
    await requireFreeName(context, identity);
    const code = newCode();
    await people.pending.move(pending, { at: { kind: "ready", identity, revision: connector.revision, code, tries: 0 } });
    return page(200, {
      title: `One more step, ${identity.user}`,
      code,
      lines: [
        "Type this code into the tsh that you started.",
        `You signed in to the cluster ${context.cluster.name}, through ${connector.display}.`,
        `It was started at ${pending.address}, and the code is good until ${printInstant(pending.until)}.`,
        "If you did not start tsh yourself, close this page and give the code to nobody: somebody else would be signed in as you.",
      ],
    });
  } catch (thrown) {
    if (!isClusterFault(thrown)) {
      const fault = refusalOf(refused("auth failed while it checked the provider's answer"));
      await people.pending.move(pending, { at: { kind: "refused", fault } });
      throw thrown;
    }
    await refuse(context, { caller, pending, fault: thrown });
    throw thrown;
  }
}

/** Keeps the outcome for `tctl`, which waits for it. */
async function endTest(context: AuthContext, pending: Pending, claimed: Claimed): Promise<Visited> {
  let refusal: Refusal | undefined;
  try {
    await requireFreeName(context, identityFrom(nameOf(pending.connector), claimed));
  } catch (thrown) {
    if (!isClusterFault(thrown)) throw thrown;
    refusal = refusalOf(thrown);
  }
  await context.people.pending.move(pending, {
    at: { kind: "tested", claimed, roles: rolesFor(claimed.rows), refused: refusal },
  });
  return page(200, {
    title: "The test is done",
    lines: ["Nobody is signed in. The tctl that you started shows what the provider sent, and the roles that it would give."],
  });
}

type Refusing = { readonly caller: Caller; readonly pending: Pending; readonly fault: Fault };

/** False if the sign-in has moved on meanwhile. */
async function refuse(context: AuthContext, { caller, pending, fault }: Refusing): Promise<boolean> {
  if ((await context.people.pending.move(pending, { at: { kind: "refused", fault: refusalOf(fault) } })) === undefined)
    return false;
  if (pending.purpose === "test") return true;
  context.people.signIns.connector += 1;
  const { connector, address } = pending;
  const detail = `through ${nameOf(connector)}, for tsh at ${address}: ${fault.message}`;
  const audit = [{ event: "sign-in.refused", ...connector, detail }] as const;
  // Each refusal names a person, so these are not summed as refused passwords are. Their number per minute is limited instead.
  if (context.people.pending.mayTell(context.now())) await commitFor(caller, { changes: [], audit }, context);
  return true;
}

function identityFrom(connector: string, { issuer, subject, name: naming, rows, missing }: Claimed): Identity {
  if (naming.kind === "refused") throw refused(naming.why, naming.hint);
  const { name: user } = naming;
  if (isReserved(user))
    throw refused(
      `nobody can be called ${user}: the name is reserved for the audit log`,
      "an oidc connector can set another username_claim",
    );
  if (parseLine(issuer) === undefined || parseLine(subject) === undefined) {
    throw refused(
      "what the provider sent to tell people apart is longer than one line, or has control characters",
      "have the provider's administrator look at the subject (sub, or NameID) of this person",
    );
  }
  const roles = rolesFor(rows);
  if (roles.length > mostRoles) {
    throw refused(
      `${user} would get ${roles.length} roles, and nobody has more than ${mostRoles}`,
      "the cluster's administrator makes one role with the rules of several, and maps that",
    );
  }
  if (roles.length === 0) throw refused(`${user} gets no role here: ${missing.why}`, missing.hint);
  return { user, connector, issuer, subject, roles };
}

/** Throws if a local user, or another identity that is signed in, has the name. */
async function requireFreeName({ store, now }: AuthContext, identity: Identity): Promise<Credential | undefined> {
  const { user } = identity;
  if ((await store.get({ kind: "user", name: user })) !== undefined) {
    throw refused(
      `the name ${user} is taken by a user of this cluster`,
      "sign in as that user, `tsh login --user`; or have it removed: `tctl users rm`",
    );
  }
  const credential = await findCredential(store, user);
  const held = credential?.row.identity;
  if (credential === undefined || held === undefined || isSame(held, identity)) return credential;
  if ((await livingOf(store, credential.row.sessions, now())).length === 0) return credential;
  throw refused(
    `the name ${user} is in use by another identity, of ${held.connector}`,
    "until its sessions end nobody else gets the name: `tctl sessions ls`",
  );
}

type Held = Pick<Identity, "connector" | "issuer" | "subject">;

function isSame(one: Held, other: Held): boolean {
  return one.connector === other.connector && one.issuer === other.issuer && one.subject === other.subject;
}

type Ending = { readonly pending: Pending; readonly identity: Identity; readonly proven: Proven };

function beginSession(context: AuthContext, caller: Caller, { pending, identity, proven }: Ending): Promise<SignedIn> {
  const { connector, issuer, subject, roles } = identity;
  const user = identity.user as ResourceName;
  const begin = async (): Promise<SignedIn | typeof overtaken> => {
    const credential = await requireFreeName(context, identity);
    const held = credential?.row.identity;
    const after: CredentialRow =
      credential !== undefined && held !== undefined && isSame(held, identity)
        ? credential.row
        : { ...newCredential(), identity: { connector, issuer, subject } };
    return tryToBeginSession(context, caller, {
      user,
      client: pending.client,
      address: proven.address,
      key: proven.proof.key,
      credential,
      after,
      through: { connector, roles: roles as readonly ResourceName[] },
      checks: [{ kind: "check", item: { kind: "user", name: user }, expect: { kind: "absent" } }],
    });
  };
  return retrying(begin, { message: "others sign in as the same user at the same time", hint: "try again" });
}

/** The pending sign-in, for the `tsh` that began it and nobody else. */
function ownOf(context: AuthContext, { proof: { key } }: Proven, sent: string): Promise<Pending> {
  return pendingOf(context, { id: sent, key, purpose: "session" });
}

export async function pendingOf({ people, now }: AuthContext, sent: Pick<Pending, "id" | "key" | "purpose">): Promise<Pending> {
  const { id } = readSent(named, { id: sent.id }, "the sign-in");
  const pending = await people.pending.find(id, now());
  if (pending === undefined || pending.key !== sent.key || pending.purpose !== sent.purpose) throw unknownSignIn();
  return pending;
}

function unknownSignIn(): Fault {
  return refused(
    "this sign-in is over, or was never begun, or its last page was shown already",
    "a code that a page has shown stays good for ten minutes; else begin again: `tsh login`",
  );
}

function notDone(): Fault {
  return refused("the browser is not done yet", "open the address, sign in there, and type the code that the last page shows");
}

function wrongCode(left: number): Fault {
  const more = left === 1 ? "it can be typed once more" : `it can be typed ${left} times more`;
  return refused("that is not the code that the browser shows", more);
}

export function tooMany(): Fault {
  return new Fault("auth-busy", {
    message: "too many sign-ins were begun from this network and have not ended",
    hint: "try again in some minutes",
    retryAfterSeconds: 60,
  });
}

function onlyProxies(): Fault {
  return new Fault("access-denied", {
    message: "only proxies hand on browsers' requests",
    hint: "open the address in a browser",
  });
}

function refused(message: string, hint = "begin again: `tsh login`"): Fault {
  return new Fault("sign-in-refused", { message, hint });
}
