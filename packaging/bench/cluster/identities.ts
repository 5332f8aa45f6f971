import { createPublicKey, randomUUID } from "node:crypto";
import { issue, makeAuthority } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { authServerName, parseClusterId, parseInstanceId, type InstanceKind } from "../../../src/cluster/identity/names.ts";
import type { Pin } from "../../../src/cluster/identity/pin.ts";
import { loadTrust } from "../../../src/machine/network/trust.ts";
import type { Identity } from "../../../src/cluster/presence/identity.ts";
import type { Ways } from "../../../src/cluster/presence/mutual-tls.ts";
import { joinCluster } from "../../../src/cluster/presence/join-cluster.ts";
import { readJoinToken } from "../../../src/cluster/presence/join-token.ts";

/** A client's key, certificate and trusted CA in PEM, and the server's name that it asks for. */
export type Shown = { readonly key: string; readonly cert: string; readonly ca: string; readonly servername: string };

const day = 86_400;
const here = "127.0.0.1";
export const directly: Ways = { routeOf: () => ({ kind: "direct", rule: "loopback" }), trust: () => loadTrust(undefined) };

export type Joining = { readonly folder: string; readonly tokenFile: string; readonly pin: Pin };

/** Joins as a host does that has only a token and the pin. */
export async function joinAsNode(port: number, joining: Joining): Promise<Shown> {
  const { privateKey, certificate, authorities, cluster } = (await joinedNode(port, joining)).stored;
  return { key: privateKey, cert: certificate, ca: authorities, servername: authServerName(cluster.id) };
}

export async function joinedNode(port: number, { folder, tokenFile, pin }: Joining): Promise<Identity> {
  const { identity } = await joinCluster(
    { authServers: [{ host: here, port }], pins: [pin], token: () => readJoinToken(tokenFile), existing: "keep" },
    {
      place: { dataDirectory: folder, kind: "node" },
      about: { hostname: "bench", services: ["node"], version: "0.0.0" },
      ways: directly,
      clock: () => ({ now: nowSeconds(), bootId: "bench", sinceBootSeconds: 0, isSynchronised: true }),
      random: () => 0.5,
      wait: () => Promise.resolve(),
      stopping: new AbortController().signal,
    },
  );
  return identity;
}

/** Identities for a bare server, with the kinds of keys and certificates that a cluster has. */
export async function bareIdentities(): Promise<{ readonly server: Shown; readonly client: Shown }> {
  const cluster = parseClusterId(randomUUID());
  if (cluster === undefined) throw new Error("an invalid UUID");
  const validity = { from: nowSeconds() - day, until: nowSeconds() + day };
  const authority = await makeAuthority(cluster, validity);
  const made = async (kind: InstanceKind): Promise<Shown> => {
    const id = parseInstanceId(randomUUID());
    if (id === undefined) throw new Error("an invalid UUID");
    const { publicKey, privateKey } = await makeKeyPair();
    const { certificate } = await issue(authority, {
      subject: { cluster, kind, id },
      publicKey: createPublicKey(publicKey),
      validity,
    });
    return { key: privateKey, cert: certificate, ca: authority.certificate, servername: authServerName(cluster) };
  };
  return { server: await made("auth"), client: await made("node") };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
