import { createPublicKey, X509Certificate } from "node:crypto";
import { issue, makeAuthority, type Authority, type Issued } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair, type KeyPair } from "../../../src/cluster/identity/key.ts";
import {
  parseClusterId,
  parseInstanceId,
  type ClusterId,
  type InstanceId,
  type InstanceKind,
} from "../../../src/cluster/identity/names.ts";
import type { Trusted } from "../../../src/cluster/identity/peer.ts";

/** 2026-01-05, 12:00 UTC. */
export const now = 1_767_614_400;
const day = 86_400;
export const month = { from: now - 2 * day, until: now + 30 * day };

export const cluster: ClusterId = parseClusterId("0b4e3c9a-5f0e-4d39-9a41-6a52f8d3c001")!;
export const otherCluster: ClusterId = parseClusterId("0b4e3c9a-5f0e-4d39-9a41-6a52f8d3c002")!;
export const instance: InstanceId = parseInstanceId("7c9e6679-7425-40de-944b-e07fc1f90ae7")!;

export function authorityOf(of: ClusterId = cluster): Promise<Authority> {
  return makeAuthority(of, { from: now - 2 * day, until: now + 3650 * day });
}

export function trusted(authority: Authority): Trusted {
  return { pin: authority.pin, certificate: new X509Certificate(authority.certificate) };
}

export type Leaf = Issued & { readonly pair: KeyPair; readonly read: X509Certificate };

export async function leafOf(authority: Authority, kind: InstanceKind, of: ClusterId = cluster): Promise<Leaf> {
  const pair = await makeKeyPair();
  const subject = { cluster: of, kind, id: instance };
  const issued = await issue(authority, { subject, publicKey: createPublicKey(pair.publicKey), validity: month });
  return { ...issued, pair, read: new X509Certificate(issued.certificate) };
}
