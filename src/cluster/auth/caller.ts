import type { InstanceId, InstanceKind } from "../identity/names.ts";
import type { Peer, PeerRefusal } from "../identity/peer.ts";
import type { ProofReading, Thumbprint } from "../identity/proof.ts";
import type { Role } from "../access/judge.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Why a certificate does not count. */
export type StrangeBecause = PeerRefusal | "no-certificate" | "not-yet" | "expired" | "unknown-instance" | "removed";

/** Who asks, as the gate found out. Nothing in the call itself says it. */
export type Caller =
  /** At the socket on the auth host, which nobody else can open. */
  | { readonly kind: "root"; readonly host: string }
  /** With a certificate of this cluster, valid, of an instance that was not removed. */
  | {
      readonly kind: "instance";
      readonly of: InstanceKind;
      readonly id: InstanceId;
      /** Of the certificate: which one of this instance's it is. */
      readonly serial: string;
      /** When it begins. */
      readonly from: UnixSeconds;
      readonly address: string;
    }
  /** Through a proxy, without a session. */
  | ({ readonly kind: "visitor"; readonly proof: Proof | undefined } & Relayed)
  /** Through a proxy, in a session, with a proof of this very call. */
  | ({
      readonly kind: "person";
      readonly user: string;
      /** As they are now. */
      readonly roles: readonly Role[];
      /** Its name. */
      readonly session: string;
      readonly key: Thumbprint;
    } & Relayed)
  /** Anybody else. Two calls are for them. `past` is a certificate of this cluster that has expired, of an instance that is still there. */
  | { readonly kind: "stranger"; readonly address: string; readonly why: StrangeBecause; readonly past: Peer | undefined };

/** Which proxy handed the call on, and for whom: the address is the proxy's word. */
export type Relayed = { readonly proxy: InstanceId; readonly address: string };

/** What this call is proven with, whoever makes it. */
export type Proof = Omit<Extract<ProofReading, { readonly kind: "proven" }>, "kind">;

/** In the audit. */
export function actorOf(caller: Caller): string {
  switch (caller.kind) {
    case "root":
      return `root@${caller.host}`;
    case "instance":
      return caller.id;
    case "person":
      return caller.user;
    case "visitor":
    case "stranger":
      return caller.kind;
  }
}

export function originOf(caller: Caller): string {
  switch (caller.kind) {
    case "root":
      return "socket";
    case "person":
    case "visitor":
      return `${caller.address} through ${caller.proxy}`;
    case "instance":
    case "stranger":
      return caller.address;
  }
}
