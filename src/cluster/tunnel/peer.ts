import { X509Certificate } from "node:crypto";
import type { ServerHttp2Session, ClientHttp2Session } from "node:http2";
import { createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import type { InstanceKind } from "../identity/names.ts";
import { readPeer, standingAt, type Peer } from "../identity/peer.ts";
import type { Identity } from "../presence/identity.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** What both ends of a tunnel agree on. */
export const tunnelProtocol = "svc-tunnel";

/** With 8 MiB, streams that are full in both directions stood still. */
const windowBytes = 4 * 1024 * 1024;
export const tunnelSettings = { settings: { initialWindowSize: windowBytes, enablePush: false } } as const;

export function widen(session: ClientHttp2Session | ServerHttp2Session): void {
  session.setLocalWindowSize(windowBytes);
}

/** Shows this host's certificate. Whom the other end is, our own rules say. */
export function contextOf({ stored }: Identity): SecureContext {
  return createSecureContext({ ca: [], minVersion: "TLSv1.2", cert: stored.certificate, key: stored.privateKey });
}

type Expected = { readonly identity: Identity; readonly kinds: readonly InstanceKind[]; readonly now: UnixSeconds };

/** Throws unless the other end has a valid certificate of this cluster and of one of these kinds. */
export function peerOn(socket: TLSSocket, { identity: { trusted, stored }, kinds, now }: Expected): Peer {
  const { raw } = socket.getPeerCertificate();
  // Empty if the other end showed none.
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
