import type { InstanceId, InstanceKind } from "../identity/names.ts";
import type { Peer, PeerRefusal } from "../identity/peer.ts";
import type { ProofReading, Thumbprint } from "../identity/proof.ts";
import type { Role } from "../access/judge.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Why a certificate does not count. */
export type StrangeBecause = PeerRefusal | "no-certificate" | "not-yet" | "expired" | "unknown-instance" | "removed";

/** The caller, as the gate found it. The call itself does not say it. */
export type Caller =
  /** Root, at the socket on the auth host, which nobody else can open. */
  | { readonly kind: "root"; readonly host: string }
  /** An instance of this cluster that was not removed, with a valid certificate. */
  | {
      readonly kind: "instance";
      readonly of: InstanceKind;
      readonly id: InstanceId;
      /** The serial of the certificate. */
      readonly serial: string;
      /** When the certificate begins. */
      readonly from: UnixSeconds;
      readonly address: string;
    }
  /** A caller through a proxy, without a session. */
  | ({ readonly kind: "visitor"; readonly proof: Proof | undefined } & Relayed)
  /** A caller through a proxy, in a session, with a proof of this call. */
  | ({
      readonly kind: "person";
      readonly user: string;
      /** The person's current roles. */
      readonly roles: readonly Role[];
      /** KIND/NAME of the connector that gave the roles; empty if the user's resource has them. */
      readonly connector: string;
      /** The session's name. */
      readonly session: string;
      readonly key: Thumbprint;
    } & Relayed)
  /** Anybody else: only Join and Renew answer them. `past` is an expired certificate of an instance that is still in the cluster. */
  | { readonly kind: "stranger"; readonly address: string; readonly why: StrangeBecause; readonly past: Peer | undefined };

/** The proxy that handed the call on. Auth cannot check the address that the proxy names. */
export type Relayed = { readonly proxy: InstanceId; readonly address: string };

/** The proof of this call. */
export type Proof = Omit<Extract<ProofReading, { readonly kind: "proven" }>, "kind">;

/** The caller's name in the audit. */
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
