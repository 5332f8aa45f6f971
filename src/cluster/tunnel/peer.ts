import { X509Certificate } from "node:crypto";
import type { ServerHttp2Session, ClientHttp2Session } from "node:http2";
import { createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import type { InstanceKind } from "../identity/names.ts";
import { readPeer, standingAt, type Peer } from "../identity/peer.ts";
import type { Identity } from "../presence/identity.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** The ALPN protocol of a tunnel. */
export const tunnelProtocol = "svc-tunnel";

/** The window of a stream. With 8 MiB, streams that were full in both directions stopped. */
const windowBytes = 4 * 1024 * 1024;
/** More shells than one host has. A proxy in wrong hands cannot open more connections to sshd. */
const mostStreams = 512;
export const tunnelSettings = {
  settings: { initialWindowSize: windowBytes, enablePush: false, maxConcurrentStreams: mostStreams },
} as const;

export function widen(session: ClientHttp2Session | ServerHttp2Session): void {
  session.setLocalWindowSize(windowBytes);
}

/** Makes a TLS context with this host's certificate. Trusts no CA, because `peerOn` checks the other end. */
export function contextOf({ stored }: Identity): SecureContext {
  return createSecureContext({ ca: [], minVersion: "TLSv1.2", cert: stored.certificate, key: stored.privateKey });
}

type Expected = { readonly identity: Identity; readonly kinds: readonly InstanceKind[]; readonly now: UnixSeconds };

/** Throws unless the other end has a valid certificate of this cluster and of one of these kinds. */
export function peerOn(socket: TLSSocket, { identity: { trusted, stored }, kinds, now }: Expected): Peer {
  const { raw } = socket.getPeerCertificate();
  // Undefined if the other end showed no certificate.
  if ((raw as Buffer | undefined) === undefined) throw new Error("it shows no certificate");
  const reading = readPeer(new X509Certificate(raw), trusted, stored.cluster.id);
  if (reading.kind === "refused") throw new Error(`its certificate is refused: ${reading.why}`);
  const { peer } = reading;
  if (!kinds.includes(peer.subject.kind)) throw new Error(`its certificate is of the kind ${peer.subject.kind}`);
  const standing = standingAt(peer, now);
  if (standing !== "valid")
    throw new Error(`its certificate is ${standing === "expired" ? "expired" : "not valid yet"} by this host's clock`);
  return peer;
}
