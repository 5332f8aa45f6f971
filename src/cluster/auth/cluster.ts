import { randomUUID, X509Certificate } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { makeAuthority, type Authority } from "../identity/authority.ts";
import { parseClusterId, type ClusterId } from "../identity/names.ts";
import type { Trusted } from "../identity/peer.ts";
import { parsePin, type Pin } from "../identity/pin.ts";
import type { Change, Item, ItemKey, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { entryBy, put } from "./changes.ts";
import { beginSshAuthorities } from "./ssh-authority.ts";
import { everyItem } from "./every-item.ts";

/** Set at the first start and never changed. */
export type ClusterFacts = { readonly name: string; readonly id: ClusterId; readonly epoch: number };

export type OpenedCluster = { readonly facts: ClusterFacts; readonly authorities: Authorities };

/**
 * All authorities are trusted. During a rotation there are two: the newest signs certificates of instances, the oldest auth's own, because some instances
 * do not know the newest yet.
 */
export type Authorities = {
  readonly signing: StoredAuthority;
  readonly serving: StoredAuthority;
  /** The authorities, the oldest first. */
  readonly trusted: readonly Trusted[];
};

export type StoredAuthority = Authority & { readonly made: UnixSeconds };

export const clusterKey: ItemKey = { kind: "cluster", name: "cluster" };
/** Long enough, because people rotate a certificate authority years before it expires. */
const authoritySeconds = 20 * 365 * 86_400;
/** Certificates are valid from this long ago, for hosts whose clock is behind. */
export const backdateSeconds: number = 2 * 86_400;

type Making = { readonly name: string; readonly now: UnixSeconds };

/** Reads the cluster from the store, or begins one in an empty store. If two auths begin at once, one wins. */
export async function openCluster(store: Store, making: Making): Promise<OpenedCluster> {
  const found = (await store.get(clusterKey)) ?? (await begin(store, making));
  const facts = factsOf(found);
  if (facts.name !== making.name) {
    throw new Fault("configuration-invalid", {
      message: `auth_service.cluster_name is ${quote(making.name)}, and the store is that of the cluster ${quote(facts.name)}`,
      hint: "a cluster keeps its name: write the old one, or name another data_dir for a new cluster",
    });
  }
  await beginSshAuthorities(store, making.now);
  return { facts, authorities: await authoritiesOf(store) };
}

async function begin(store: Store, { name, now }: Making): Promise<Item> {
  const [authority] = await store.list("authority", { after: undefined, most: 1 });
  if (authority !== undefined) {
    // Another auth service may have begun it meanwhile: the cluster and its authority are one commit.
    const begun = await store.get(clusterKey);
    if (begun !== undefined) return begun;
    throw damaged("it has a certificate authority, and no cluster");
  }
  const id = randomUUID() as ClusterId;
  const { pin, change } = await newAuthority(id, { now, made: now });
  const told = entryBy("auth", "auth", {
    event: "cluster.begun",
    kind: "cluster",
    name,
    detail: `its certificate authority is ${pin}`,
  });
  const changes = [put(clusterKey, { id, name, epoch: 1, made: now }, undefined), change];
  const committed = await store.commit({ at: now, by: "auth", changes, audit: [told] });
  const found = committed.kind === "overtaken" ? committed.found : await store.get(clusterKey);
  if (found === undefined) throw damaged("the cluster that was begun is not there");
  return found;
}

/** Makes an authority, and the change that stores it. */
export async function newAuthority(
  cluster: ClusterId,
  { now, made }: { readonly now: UnixSeconds; readonly made: UnixSeconds },
): Promise<{ readonly pin: Pin; readonly change: Change }> {
  const { pin, certificate, privateKey } = await makeAuthority(cluster, {
    from: now - backdateSeconds,
    until: now + authoritySeconds,
  });
  return { pin, change: put(authorityKey(pin), { certificate, private_key: privateKey, made }, undefined) };
}

export function authorityKey(pin: Pin): ItemKey {
  return { kind: "authority", name: pin };
}

function factsOf({ body }: Item): ClusterFacts {
  const { id, name, epoch } = body;
  const cluster = typeof id === "string" ? parseClusterId(id) : undefined;
  if (cluster === undefined || typeof name !== "string" || typeof epoch !== "number")
    throw damaged("its cluster has no name or id");
  return { id: cluster, name, epoch };
}

/** Reads the authorities from the store, because another auth may have made one. */
export async function authoritiesOf(store: Pick<Store, "list">): Promise<Authorities> {
  const all: StoredAuthority[] = [];
  for await (const { name, body } of everyItem(store, "authority")) {
    const { certificate, private_key: privateKey, made } = body;
    const pin = parsePin(name);
    if (pin === undefined || typeof certificate !== "string" || typeof privateKey !== "string") {
      throw damaged(`the certificate authority ${quote(name)} has no certificate or key`);
    }
    all.push({ pin, certificate, privateKey, made: typeof made === "number" ? made : 0 });
  }
  const inOrder = all.toSorted((one, other) => one.made - other.made || (one.pin < other.pin ? -1 : 1));
  const [serving, signing] = [inOrder[0], inOrder.at(-1)];
  if (serving === undefined || signing === undefined) throw damaged("it has no certificate authority");
  return {
    signing,
    serving,
    trusted: inOrder.map(({ pin, certificate }) => ({ pin, certificate: new X509Certificate(certificate) })),
  };
}

export function damaged(what: string): Fault {
  return new Fault("store-unreadable", {
    message: `the store is damaged: ${what}`,
    hint: "put a backup back: `tctl restore FILE`",
  });
}
