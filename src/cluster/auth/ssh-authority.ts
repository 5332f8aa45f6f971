import { createPublicKey } from "node:crypto";
import { makeKeyPair } from "../identity/key.ts";
import { printSshKey } from "../identity/ssh.ts";
import type { Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { put } from "./changes.ts";
import { everyItem } from "./every-item.ts";

const kind = "ssh-authority";

/** A key that signs people's SSH certificates. It is never the key of TLS. */
export type SshAuthority = { readonly privateKey: string; readonly line: string };

/** Makes the first key of a cluster that has no key. If two auth services make one at once, the store takes one of them. */
export async function beginSshAuthority(store: Store, now: UnixSeconds): Promise<void> {
  const [first] = await store.list(kind, { after: undefined, most: 1 });
  if (first !== undefined) return;
  const { privateKey } = await makeKeyPair();
  const changes = [put({ kind, name: "user-1" }, { private_key: privateKey, made: now }, undefined)];
  await store.commit({ at: now, by: "auth", changes, audit: [] });
}

/** The newest first, which signs. Hosts trust all of them. */
export async function sshAuthorities(store: Pick<Store, "list">, cluster: string): Promise<readonly SshAuthority[]> {
  const found: SshAuthority[] = [];
  for await (const { body } of everyItem(store, kind)) {
    const { private_key: privateKey } = body;
    if (typeof privateKey !== "string") continue;
    found.unshift({ privateKey, line: printSshKey(createPublicKey(privateKey), `svc-users@${cluster}`) });
  }
  return found;
}
