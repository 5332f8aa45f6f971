import { call } from "../api/call.ts";
import type { JoinRequestJson, JoinResponseJson } from "../api/generated/svc/v1/join_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import { makeKeyPair } from "../identity/key.ts";
import type { Peer } from "../identity/peer.ts";
import type { Pin } from "../identity/pin.ts";
import { makeRequest } from "../identity/request.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import { acceptIdentity } from "./accept-identity.ts";
import {
  forgetJoiningKey,
  forgetRenewingKey,
  readIdentity,
  readJoiningKey,
  writeIdentity,
  writeJoiningKey,
  type IdentityPlace,
} from "./identity-file.ts";
import type { AboutItself, Identity } from "./identity.ts";
import { tokenDigest, type JoinToken } from "./join-token.ts";
import { overMutualTls, type Asked, type MutualTls, type Ways } from "./mutual-tls.ts";
import { noteRetryAfter } from "./note-retry-after.ts";
import { forgetUsedKeys, renewIdentity } from "./renew.ts";

export type Joining = {
  readonly authServers: readonly HostPort[];
  readonly pins: readonly Pin[];
  /** Reads the token, only if it is needed: a host that has joined may have deleted it. `left` is this host's old identity, which auth refuses. */
  readonly token: (left?: Identity) => JoinToken;
  /** `keep` does not ask auth. `ask` joins again if auth refuses this host's identity. */
  readonly existing: "keep" | "ask" | "replace";
};

export type JoinPorts = {
  readonly place: IdentityPlace;
  readonly about: AboutItself;
  readonly ways: Ways;
  readonly clock: () => ClockReading;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  /** Ends early, without a fault, if the signal is raised. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>;
  readonly stopping: AbortSignal;
};

export type Joined =
  | { readonly kind: "joined"; readonly identity: Identity }
  /** The host had joined before, so it used no token. `addresses`: whether the host now uses other addresses of auth. */
  | { readonly kind: "already"; readonly identity: Identity; readonly addresses: "kept" | "changed" };

const longestWaitMs = 30_000;

/**
 * Makes this host an instance of the cluster whose authority has one of the pins. If it is stopped at any point and begun again, the host becomes the
 * same instance.
 */
export async function joinCluster(joining: Joining, ports: JoinPorts): Promise<Joined> {
  const existing = joining.existing === "replace" ? undefined : readIdentity(ports.place);
  if (existing !== undefined && joining.existing === "keep" && isAsAsked(existing, joining))
    return already(existing, "kept", ports);
  const showing = (shows: Asked["shows"]): MutualTls =>
    overMutualTls({
      addresses: joining.authServers,
      known: { kind: "pinned", pins: joining.pins },
      shows,
      ways: ports.ways,
      now: () => ports.clock().now,
    });
  const transport = showing(undefined);
  const token = existing === undefined ? joining.token() : undefined;
  const auth = await meet(transport, ports.stopping);
  if (existing !== undefined) {
    if (existing.stored.cluster.id !== auth.subject.cluster) throw elsewhere(existing, auth);
    const known = joining.existing === "keep" ? existing : await knownToAuth(existing, showing(existing.stored), ports);
    if (known !== undefined) return joinedBefore(known, joining, ports);
    forgetUsedKeys(existing, ports.place);
  }
  const identity = await joinBy(token ?? joining.token(existing), { joining, auth, transport, ports });
  return { kind: "joined", identity };
}

async function meet(transport: MutualTls, stopping: AbortSignal): Promise<Peer> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(longestWaitMs)]);
  try {
    return await transport.meet(signal);
  } catch (thrown) {
    throw transport.explain(thrown);
  }
}

/** Whether the identity is the wanted cluster's. One matching pin is enough, because all pins of a rotation name the same cluster. */
function isAsAsked({ stored, trusted }: Identity, { authServers, pins }: Joining): boolean {
  const isSameCluster = trusted.some(({ pin }) => pins.includes(pin));
  return isSameCluster && authServers.map(printHostPort).join() === stored.authServers.join();
}

/** This host's identity, if auth accepts or renews its certificate; otherwise undefined. Auth renews an expired one too. */
async function knownToAuth(existing: Identity, transport: MutualTls, ports: JoinPorts): Promise<Identity | undefined> {
  const { place, stopping } = ports;
  const isAccepted = await unlessRefused(call(transport, { method: "ClusterService/GetStatus", request: {} }, { stopping }));
  if (isAccepted !== undefined) return existing;
  const renewed = await unlessRefused(renewIdentity(existing, { ...ports, transport }));
  return renewed === "replaced" ? readIdentity(place) : renewed;
}

async function unlessRefused<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "identity-refused") return undefined;
    throw thrown;
  }
}

function joinedBefore(existing: Identity, joining: Joining, ports: JoinPorts): Joined {
  const { stored } = existing;
  const authServers = joining.authServers.map(printHostPort);
  if (authServers.join() === stored.authServers.join()) return already(existing, "kept", ports);
  const changed = { ...stored, authServers };
  writeIdentity(ports.place, changed);
  return already({ ...existing, stored: changed }, "changed", ports);
}

function already(identity: Identity, addresses: "kept" | "changed", { place }: JoinPorts): Joined {
  forgetJoiningKey(place);
  return { kind: "already", identity, addresses };
}

type Using = { readonly joining: Joining; readonly auth: Peer; readonly transport: MutualTls; readonly ports: JoinPorts };

async function joinBy(token: JoinToken, { joining, auth, transport, ports }: Using): Promise<Identity> {
  const { place, about, clock } = ports;
  const privateKey = await keyFor(token, { joining, place });
  const request = {
    token: token.token,
    certificateRequest: makeRequest(privateKey),
    hostname: about.hostname,
    services: [...about.services],
    version: about.version,
  };
  const answer = await whileBusy(transport, request, ports).catch((thrown: unknown) => {
    // Forgets the key, which auth does not know: another token needs another key.
    if (thrown instanceof Fault && thrown.code === "join-refused") forgetJoiningKey(place);
    throw thrown;
  });
  const identity = acceptIdentity(answer.identity, {
    cluster: auth.subject.cluster,
    authServers: joining.authServers.map(printHostPort),
    privateKey,
    generation: 1,
    awaitsWords: true,
    received: clock(),
  });
  writeIdentity(place, identity.stored);
  forgetJoiningKey(place);
  forgetRenewingKey(place);
  return identity;
}

/** Enough tries while auth is busy because a whole fleet joins at once. */
const mostTries = 6;
const firstWaitSeconds = 2;
/** Short, because a person is waiting. */
const longestWaitSeconds = 30;

async function whileBusy(
  over: MutualTls,
  request: JoinRequestJson,
  { random, wait, stopping }: JoinPorts,
): Promise<JoinResponseJson> {
  const { transport, askedSeconds } = noteRetryAfter(over);
  for (let tries = 1; ; tries += 1) {
    try {
      return await call(transport, { method: "JoinService/Join", request }, { stopping });
    } catch (thrown) {
      const isBusy = thrown instanceof Fault && thrown.code === "auth-busy";
      if (!isBusy || tries === mostTries || stopping.aborted) throw thrown;
      const own = firstWaitSeconds * 2 ** (tries - 1) * (1 - random() / 2);
      await wait(Math.min(longestWaitSeconds, (askedSeconds() ?? 0) + own), stopping);
    }
  }
}

type For = { readonly joining: Joining; readonly place: IdentityPlace };

/** Returns the key of an earlier try, or a new one. Auth may have answered the earlier try: with another key, the host would join twice. */
async function keyFor(token: JoinToken, { joining, place }: For): Promise<string> {
  const digest = tokenDigest(token);
  const kept = readJoiningKey(place);
  if (kept?.token === digest) return kept.privateKey;
  const { privateKey } = kept !== undefined && joining.existing !== "replace" ? kept : await makeKeyPair();
  writeJoiningKey(place, { token: digest, privateKey });
  return privateKey;
}

function elsewhere({ stored: { cluster, kind, instance } }: Identity, auth: Peer): Fault {
  const name = quote(cluster.name);
  return new Fault("joined-elsewhere", {
    message: `this host has joined the cluster ${name} (${cluster.id}) as the ${kind} ${instance}, and not the cluster ${auth.subject.cluster}, whose auth answers there`,
    hint: "to leave the one and join the other: the same command with `--replace`",
  });
}
