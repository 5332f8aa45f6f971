import type { InstanceId } from "../identity/names.ts";
import { standingAt, type Peer } from "../identity/peer.ts";
import type { Caller, StrangeBecause } from "./caller.ts";
import { put } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import { instanceKey, instanceRow, type InstanceRow } from "./instance-row.ts";
import { readShown } from "./read-shown.ts";
import { bodyOf, findRow, type Stored } from "./row-forms.ts";

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
