import { call } from "../api/call.ts";
import type { Transport } from "../api/transport.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { clusterFaultTable } from "../../rules/fault/cluster-table.ts";
import { makeKeyPair } from "../identity/key.ts";
import { makeRequest } from "../identity/request.ts";
import { acceptIdentity } from "./accept-identity.ts";
import {
  forgetJoiningKey,
  forgetRenewingKey,
  readIdentity,
  readJoiningKey,
  readRenewingKey,
  writeIdentity,
  writeRenewingKey,
  type IdentityPlace,
} from "./identity-file.ts";
import { publicPin, type AboutItself, type Identity } from "./identity.ts";

export type RenewPorts = {
  readonly place: IdentityPlace;
  readonly about: AboutItself;
  readonly transport: Transport;
  readonly clock: () => ClockReading;
  readonly stopping: AbortSignal;
};

/** Renews the certificate with a new key. "replaced": somebody joined again meanwhile, so the stored identity is another one. */
export async function renewIdentity(identity: Identity, ports: RenewPorts): Promise<Identity | "replaced"> {
  const { place, about, transport, clock, stopping } = ports;
  const { stored } = identity;
  const privateKey = await keyFor(identity, place);
  const request = {
    certificateRequest: makeRequest(privateKey),
    hostname: about.hostname,
    services: [...about.services],
    version: about.version,
  };
  const answer = await call(transport, { method: "JoinService/Renew", request }, { stopping });
  const renewed = acceptIdentity(answer.identity, {
    cluster: stored.cluster.id,
    authServers: stored.authServers,
    privateKey,
    generation: stored.generation + 1,
    awaitsWords: stored.awaitsWords,
    received: clock(),
  });
  if (renewed.stored.instance !== stored.instance || renewed.stored.kind !== stored.kind) throw another(renewed);
  const now = readIdentity(place);
  if (now?.peer.serial !== identity.peer.serial) return "replaced";
  // Keeps the stored addresses, because `svc join` may have named others meanwhile.
  const kept = { ...renewed.stored, authServers: now.stored.authServers };
  writeIdentity(place, kept);
  forgetRenewingKey(place);
  return { ...renewed, stored: kept };
}

/** The key of an earlier try, or a new one. It was stored before it was sent, and auth may have certified it. */
async function keyFor({ stored, peer }: Identity, place: IdentityPlace): Promise<string> {
  const kept = readRenewingKey(place);
  if (kept?.instance === stored.instance && publicPin(kept.privateKey) !== peer.key) return kept.privateKey;
  const { privateKey } = await makeKeyPair();
  writeRenewingKey(place, { instance: stored.instance, privateKey });
  return privateKey;
}

/** Removes keys that are not needed any more, but were left because the program crashed. */
export function forgetUsedKeys({ peer }: Identity, place: IdentityPlace): void {
  const [joining, renewing] = [readJoiningKey(place), readRenewingKey(place)];
  if (joining !== undefined && publicPin(joining.privateKey) === peer.key) forgetJoiningKey(place);
  if (renewing !== undefined && publicPin(renewing.privateKey) === peer.key) forgetRenewingKey(place);
}

function another({ stored: { kind, instance } }: Identity): Fault {
  return new Fault("auth-mismatch", {
    message: `auth has renewed the certificate of another instance: the ${kind} ${instance}`,
    hint: clusterFaultTable["auth-mismatch"].remedy,
  });
}
