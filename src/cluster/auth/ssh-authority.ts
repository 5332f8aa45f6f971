import { createPublicKey } from "node:crypto";
import { makeKeyPair } from "../identity/key.ts";
import { printSshKey } from "../identity/ssh.ts";
import type { Change, Item, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { put } from "./changes.ts";
import { everyItem } from "./every-item.ts";

const kind = "ssh-authority";
/** Whose certificates a key signs. */
export const sshUses = ["user", "host"] as const;
type Use = (typeof sshUses)[number];

/** A key that signs SSH certificates. It never signs TLS certificates. */
export type SshAuthority = { readonly item: Item; readonly privateKey: string; readonly line: string };

/** Makes a cluster's first keys. If two auth services make them at once, the store takes those of one. */
export async function beginSshAuthorities(store: Store, now: UnixSeconds): Promise<void> {
  const changes: Change[] = [];
  for (const use of sshUses) {
    const [first] = await sshAuthorities(store, use, "");
    if (first === undefined) changes.push(await newSshAuthority(use, now));
  }
  if (changes.length > 0) await store.commit({ at: now, by: "auth", changes, audit: [] });
}

/** Makes a key, and the change that stores it. */
export async function newSshAuthority(use: Use, made: UnixSeconds): Promise<Change> {
  const { privateKey } = await makeKeyPair();
  return put({ kind, name: `${use}-${made}` }, { private_key: privateKey, made }, undefined);
}

/** The keys, the oldest first. During a rotation there are two. */
export async function sshAuthorities(store: Pick<Store, "list">, use: Use, cluster: string): Promise<readonly SshAuthority[]> {
  const found: SshAuthority[] = [];
  for await (const item of everyItem(store, kind)) {
    const { private_key: privateKey } = item.body;
    if (typeof privateKey !== "string" || !item.name.startsWith(`${use}-`)) continue;
    found.push({ item, privateKey, line: printSshKey(createPublicKey(privateKey), `svc-${use}s@${cluster}`) });
  }
  return found.toSorted((one, other) => Number(one.item.body["made"]) - Number(other.item.body["made"]));
}

/** The key that signs. For people the oldest, because some hosts do not know the newer one yet; for hosts the newest, because people know both. */
export async function sshSigner(store: Pick<Store, "list">, use: Use): Promise<string> {
  const signer = (await sshAuthorities(store, use, "")).at(use === "user" ? 0 : -1);
  if (signer === undefined) throw new Error(`the cluster has no key for certificates of a ${use}`);
  return signer.privateKey;
}
