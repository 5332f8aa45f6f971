import { hash, X509Certificate } from "node:crypto";
import type { ClusterId } from "../identity/names.ts";
import { readPeer, type Peer, type PeerReading, type Trusted } from "../identity/peer.ts";

/** Is dropped together with the authorities that verified these certificates. */
const remembered = new WeakMap<readonly Trusted[], Map<string, Peer>>();
/** Some 600 bytes each. Beyond this number the oldest are dropped. */
const mostRemembered = 100_000;

/** Reads and verifies a certificate once, and remembers it. The caller checks the clock and the instance's row at every call. */
export function readShown(certificate: Uint8Array, authorities: readonly Trusted[], cluster: ClusterId): PeerReading {
  const peers = remembered.get(authorities) ?? new Map<string, Peer>();
  const digest = hash("sha256", certificate, "base64");
  const known = peers.get(digest);
  if (known !== undefined) return { kind: "peer", peer: known };
  const parsed = parse(certificate);
  if (parsed === undefined) return { kind: "refused", why: "not-an-identity" };
  const reading = readPeer(parsed, authorities, cluster);
  if (reading.kind === "refused") return reading;
  const [oldest] = peers.keys();
  if (oldest !== undefined && peers.size >= mostRemembered) peers.delete(oldest);
  remembered.set(authorities, peers.set(digest, reading.peer));
  return reading;
}

function parse(certificate: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate);
  } catch {
    // OpenSSL throws various errors for bytes that are not a certificate. A handshake never lets such bytes pass.
    return undefined;
  }
}
