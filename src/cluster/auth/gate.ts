import type { ClusterId, InstanceId } from "../identity/names.ts";
import { readPeer, standingAt, type Peer, type PeerReading, type Trusted } from "../identity/peer.ts";
import type { Caller, StrangeBecause } from "./caller.ts";
import { put } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import { instanceKey, instanceRow, type InstanceRow } from "./instance-row.ts";
import { bodyOf, findRow, type Stored } from "./row-forms.ts";
import { X509Certificate, hash } from "node:crypto";

/** What a connection showed. TLS has proven that the client has the certificate's private key. */
export type Shown = { readonly certificate: Uint8Array | undefined; readonly address: string };

type Gate = Pick<AuthContext, "store" | "cluster" | "authorities" | "now">;

/** Runs at every call: since the connection began, the certificate may have expired, or its instance may have been removed. */
export async function findCaller({ certificate, address }: Shown, gate: Gate): Promise<Caller> {
  const strange = (why: StrangeBecause, past?: Peer): Caller => ({ kind: "stranger", address, why, past });
  if (certificate === undefined) return strange("no-certificate");
  const reading = readShown(certificate, gate.authorities.trusted, gate.cluster.id);
  if (reading.kind === "refused") return strange(reading.why);
  const { peer } = reading;
  const standing = standingAt(peer, gate.now());
  if (standing === "not-yet") return strange("not-yet");
  const found = await findRow(gate.store, instanceRow, instanceKey(peer.subject.id));
  if (found === undefined || found.row.kind !== peer.subject.kind) return strange("unknown-instance");
  const { item, row } = found;
  if (row.removed !== undefined) return strange("removed");
  if (standing === "expired") return strange("expired", peer);
  await noteSeen(gate, { item, row, peer });
  return { kind: "instance", of: row.kind, id: peer.subject.id, serial: peer.serial, from: peer.from, address };
}

/** Whether a certificate, even a forged one, names the instance. Searches the bytes only, which is fast for thousands of connections. */
export function isOf({ certificate }: Shown, id: InstanceId): boolean {
  return certificate !== undefined && Buffer.from(certificate.buffer, certificate.byteOffset, certificate.length).includes(id);
}

/**
 * Notes that an instance uses its newest certificate: an older one that renews later belongs to a clone. Also notes the newest authority, even if a
 * restored backup does not know the certificate.
 */
async function noteSeen(
  { store, now, authorities: { signing } }: Gate,
  { item, row, peer }: Stored<InstanceRow> & { readonly peer: Peer },
): Promise<void> {
  const current = peer.serial === row.issued ? row.issued : row.current;
  const authority = peer.authority === signing.pin ? signing.pin : row.authority;
  if (current === row.current && authority === row.authority) return;
  const body = bodyOf(instanceRow, { ...row, current, authority });
  // If this write is overtaken, the next call notes it.
  await store.commit({ at: now(), by: "auth", changes: [put(instanceKey(item.name), body, item)], audit: [] });
}

/** Is dropped together with the authorities that verified these certificates. */
const remembered = new WeakMap<readonly Trusted[], Map<string, Peer>>();
/** Some 600 bytes each. Beyond this number the oldest are dropped. */
const mostRemembered = 100_000;

/** Reads and verifies a certificate once, and remembers it. The caller checks the clock and the instance's row at every call. */
function readShown(certificate: Uint8Array, authorities: readonly Trusted[], cluster: ClusterId): PeerReading {
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
