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

/** A call as it came: what is in it is believed only once it is proven. */
export type RelayedCall = {
  /** `svc.v1.SERVICE/METHOD`. */
  readonly method: string;
  readonly verb: string;
  readonly header: Headers;
  /** As far as it is taken. */
  readonly readWhole: () => Promise<Uint8Array>;
};

type People = Pick<AuthContext, "store" | "cluster" | "people" | "now">;

/** What a proxy adds to a call that it hands on. Without any of these the call is the proxy's own. */
const addressHeader = "svc-client-address";
const headers = ["authorization", "dpop", addressHeader];

/**
 * Who makes a call that a proxy hands on; whoever is connected, where nobody's is. From anybody but a proxy the headers mean nothing.
 * First what costs nothing, then the session, and the body and the signature only then: whoever proves nothing is not worth much.
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

/** To the person, who can do nothing about it. */
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
  const remembered = people.proofs.remember({ owner: session, id, made, now: now() });
  if (remembered === "used") throw proofRefused("it was used before");
  if (remembered === "forgotten") throw proofRefused(refusals["not-fresh"], now());
  if (remembered === "full") throw tooManyCalls();
  // The body took a while: what was so when it began to arrive may be over.
  const roles = await rolesOfUser(context, await sessionOf(context, { token, session }));
  return { kind: "person", user: row.user, roles, session, key, ...relayed };
}

type Shown = { readonly token: string; readonly session: string };

/** The same whatever is wrong: whoever guesses learns nothing. */
async function sessionOf({ store, now }: Pick<People, "store" | "now">, { token, session }: Shown): Promise<SessionRow> {
  const row = await findSession(store, session);
  if (row === undefined || !isSameDigest(row.digest, digestOfToken(token)) || now() >= row.until) throw sessionEnded();
  const credential = await findCredential(store, row.user);
  if (credential?.row.generation !== row.generation) throw sessionEnded();
  return row;
}

/** As they are now. */
async function rolesOfUser({ store }: Pick<People, "store">, { user }: SessionRow): Promise<readonly Role[]> {
  const names = await rolesIn(store, user);
  if (names === undefined) throw sessionEnded();
  return (await findRoles(store, names)).found;
}

async function proofOf(call: RelayedCall, token: string | undefined, { cluster, now }: People): Promise<Proof> {
  const proof = call.header.get("dpop");
  if (proof === null) throw proofRefused("there is none");
  const body = await call.readWhole();
  const reading = await readProof(proof, { cluster: cluster.id, path: `/${call.method}`, body, token, now: now() });
  if (reading.kind === "proven") return { key: reading.key, id: reading.id, made: reading.made };
  throw proofRefused(refusals[reading.why], reading.why === "not-fresh" ? now() : undefined);
}

const otherKey = "it was made with another key than the session's";

const refusals: Readonly<Record<ProofRefusal, string>> = {
  malformed: "it is none",
  signature: "its signature is wrong",
  "other-call": "it was made for another call, or another cluster",
  "other-body": "what it was made for is not what arrived",
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
    message: "the session is over, or there is none",
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
