import { hash, X509Certificate } from "node:crypto";
import type { ClusterId } from "../identity/names.ts";
import { readPeer, type Peer, type PeerReading, type Trusted } from "../identity/peer.ts";

/** By the authorities that they were read by: others read them anew. */
const remembered = new WeakMap<readonly Trusted[], Map<string, Peer>>();
/** Some 600 bytes each. Beyond it the oldest make room. */
const mostRemembered = 100_000;

/**
 * What a certificate says, and who has signed it, is the same at every call: of one that was found to be a peer's nothing is computed
 * anew. What may change, its standing by the clock and the instance's row, is not remembered.
 */
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
    // OpenSSL throws of every kind on what is no certificate; a handshake lets none pass.
    return undefined;
  }
}
