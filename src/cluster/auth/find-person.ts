import type { Role } from "../access/judge.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { readProof, type ProofRefusal } from "../identity/proof.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { strange } from "./admit.ts";
import type { Caller, Proof, Relayed } from "./caller.ts";
import type { AuthContext } from "./context.ts";
import { findCredential } from "./credential-row.ts";
import { admissionOf } from "./methods.ts";
import { parseAddress } from "./network-of.ts";
import { findRoles } from "./roles.ts";
import { rolesIn } from "./session-message.ts";
import { findSession, type SessionRow } from "./session-row.ts";
import { digestOfToken, isSameDigest, nameOfDigest } from "./token-digest.ts";

/** A call whose proof is not checked yet. */
export type RelayedCall = {
  /** `svc.v1.SERVICE/METHOD`. */
  readonly method: string;
  readonly verb: string;
  readonly header: Headers;
  /** Fails if the body is larger than auth takes. */
  readonly readWhole: () => Promise<Uint8Array>;
};

type People = Pick<AuthContext, "store" | "cluster" | "people" | "now">;
type Clocked = Pick<People, "store" | "now">;

/** A proxy adds these to a call that it hands on. A call without them is the proxy's own. */
const addressHeader = "svc-client-address";
const headers = ["authorization", "dpop", addressHeader];

/**
 * Returns the person whose call a proxy handed on, or else the connected caller. Headers count only from a proxy. Checks the cheap parts first, then
 * the session, then the body and the signature.
 */
export async function findPerson(connected: Caller, call: RelayedCall, context: People): Promise<Caller> {
  if (headers.every((name) => !call.header.has(name))) return connected;
  if (connected.kind === "stranger") throw strangeProxy(connected);
  if (connected.kind !== "instance" || connected.of !== "proxy") return connected;
  const relayed = { proxy: connected.id, address: addressIn(call) };
  const visitor = { kind: "visitor", proof: undefined, ...relayed } as const;
  const admission = admissionOf(call.method);
  switch (admission?.kind) {
    case undefined:
    case "everybody":
    case "root":
    case "instances":
      return visitor;
    case "visitors":
      return admission.proven ? { ...visitor, proof: await proofOf(call, undefined, context) } : visitor;
    case "people":
    case "known":
    case "permitted":
    case "judged":
      return call.header.has("authorization") ? personIn(call, relayed, context) : visitor;
  }
}

/** Told to the person, who cannot repair the proxy. */
function strangeProxy({ why }: Extract<Caller, { readonly kind: "stranger" }>): Fault {
  return new Fault("identity-refused", {
    message: `auth does not accept the certificate of the proxy that handed this call on: ${strange[why]}`,
    hint: "this is for who runs the proxy: there `sudo systemctl reload svc`, and `journalctl -u svc` says what is wrong",
  });
}

function addressIn({ verb, header }: RelayedCall): string {
  const address = parseAddress(header.get(addressHeader) ?? "");
  const isJson = /^application\/json(?:;|$)/.test(header.get("content-type") ?? "");
  if (address !== undefined && isJson && verb === "POST") return address;
  throw new Fault("request-refused", {
    message: "what the proxy handed on is not a call of a person: that is POST, in JSON, with the address that it came from",
    hint: "is the proxy of a release that fits this auth service?",
  });
}

async function personIn(call: RelayedCall, relayed: Relayed, context: People): Promise<Caller> {
  const { people, now } = context;
  const [, token] = /^DPoP ([0-9a-f]{64})$/i.exec(call.header.get("authorization") ?? "") ?? [];
  if (token === undefined) throw sessionEnded();
  const session = nameOfDigest(digestOfToken(token));
  const row = await sessionOf(context, { token, session });
  const { key, id, made } = await proofOf(call, token, context);
  if (key !== row.key) throw proofRefused(otherKey);
  const remembered = await people.proofs.remember({ owner: session, id, made, now: now() });
  if (remembered === "used") throw proofRefused("it was used before");
  if (remembered === "forgotten") throw proofRefused(refusals["not-fresh"], now());
  if (remembered === "full") throw tooManyCalls();
  // Reads the session again, because it may have ended while the body arrived.
  const roles = await rolesOfRow(context.store, await sessionOf(context, { token, session }));
  if (roles === undefined) throw sessionEnded();
  return { kind: "person", user: row.user, roles, connector: row.connector, session, key, ...relayed };
}

type Shown = { readonly token: string; readonly session: string };

/** Every reason gives the same fault, so that guessing tells nothing. */
async function sessionOf({ store, now }: Clocked, { token, session }: Shown): Promise<SessionRow> {
  const row = await livingSession({ store, now }, session);
  if (row === undefined || !isSameDigest(row.digest, digestOfToken(token))) throw sessionEnded();
  return row;
}

async function livingSession({ store, now }: Clocked, session: string): Promise<SessionRow | undefined> {
  const row = await findSession(store, session);
  if (row === undefined || now() >= row.until) return undefined;
  const credential = await findCredential(store, row.user);
  return credential?.row.generation === row.generation ? row : undefined;
}

/** The current roles of a session's person; undefined if the session is over. */
export async function rolesOfLiving(clocked: Clocked, session: string): Promise<readonly Role[] | undefined> {
  const row = await livingSession(clocked, session);
  return row === undefined ? undefined : rolesOfRow(clocked.store, row);
}

/** Undefined if the user no longer exists. */
async function rolesOfRow(store: People["store"], { user, roles }: SessionRow): Promise<readonly Role[] | undefined> {
  const names = roles ?? (await rolesIn(store, user));
  return names === undefined ? undefined : (await findRoles(store, names)).found;
}

async function proofOf(call: RelayedCall, token: string | undefined, { cluster, now }: People): Promise<Proof> {
  const proof = call.header.get("dpop");
  if (proof === null) throw proofRefused("the call has none");
  const body = await call.readWhole();
  const reading = await readProof(proof, { cluster: cluster.id, path: `/${call.method}`, body, token, now: now() });
  if (reading.kind === "proven") return { key: reading.key, id: reading.id, made: reading.made };
  throw proofRefused(refusals[reading.why], reading.why === "not-fresh" ? now() : undefined);
}

const otherKey = "it was made with another key than the session's";

const refusals: Readonly<Record<ProofRefusal, string>> = {
  malformed: "it cannot be read",
  signature: "its signature is wrong",
  "other-call": "it was made for another call, or another cluster",
  "other-body": "it was made for another body",
  "other-session": "it was made in another session",
  "not-fresh": "it was not made within the last minute",
};

export function proofRefused(why: string, now?: UnixSeconds): Fault {
  const byClock = now === undefined ? "" : `; auth's clock says ${printInstant(now)}`;
  return new Fault("proof-refused", {
    message: `the proof of this call is not taken: ${why}${byClock}`,
    hint:
      now === undefined
        ? "make the call again; else sign in again: `tsh login`"
        : "is this computer's clock right? `date -u` shows it",
  });
}

function sessionEnded(): Fault {
  return new Fault("session-ended", {
    message: "the session is over, or unknown",
    hint: "sign in: `tsh login`",
  });
}

function tooManyCalls(): Fault {
  return new Fault("auth-busy", {
    message: "more calls were made in one session, or in all together, than auth remembers the proofs of",
    hint: "try again in a minute",
    retryAfterSeconds: 60,
  });
}
