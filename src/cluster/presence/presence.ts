import { call } from "../api/call.ts";
import type { Transport } from "../api/transport.ts";
import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { tellFault, type ToldFault } from "../../rules/fault/tell-fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Log } from "../../machine/logging/log.ts";
import { parseAddress, type HostPort } from "../../rules/route/host-port.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { ClusterId } from "../identity/names.ts";
import { readIdentity, type IdentityPlace } from "./identity-file.ts";
import type { AboutItself, Identity } from "./identity.ts";
import { overMutualTls, type Ways } from "./mutual-tls.ts";
import { noteRetryAfter } from "./note-retry-after.ts";
import { forgetUsedKeys, renewIdentity } from "./renew.ts";
import { secondsUntilRenewal, waitAfterFailure } from "./renewal-time.ts";

export type PresencePorts = {
  readonly place: IdentityPlace;
  readonly about: AboutItself;
  readonly ways: Ways;
  readonly log: Log;
  readonly clock: () => ClockReading;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Ends early, without a fault, if the signal is raised. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>;
  readonly stopping: AbortSignal;
  /** Called when this host gets another identity or certificate, or has none at the start. */
  readonly found?: (what: "joined" | "renewed" | "not-joined") => void;
};

export type PresenceState = {
  readonly instance: string | undefined;
  readonly certificateUntil: UnixSeconds | undefined;
  readonly generation: number;
  /** Failed renewals in a row; 0 if the last one worked, or none was due yet. */
  readonly failures: number;
  readonly lastFailure: { readonly at: UnixSeconds; readonly code: string; readonly message: string } | undefined;
};

export type AuthPlace = { readonly cluster: ClusterId; readonly addresses: readonly HostPort[] };

export type Presence = {
  readonly state: () => PresenceState;
  /** The connection to auth as this host. Undefined if the host has not joined. */
  readonly transport: () => Transport | undefined;
  /** The host's cluster and auth's addresses; undefined if it has not joined. */
  readonly auth: () => AuthPlace | undefined;
  readonly cluster: () => string | undefined;
  /** The host's certificate, key and authorities; undefined if it has not joined. */
  readonly identity: () => Identity | undefined;
  /** Looks at once, and asks auth for its authorities. */
  readonly look: () => void;
  /** Resolves when `stopping` was raised and running work has ended. Never rejects. */
  readonly ended: Promise<void>;
};

/** The longest wait, however far the renewal is: clocks may jump, and somebody may join again. */
const lookEverySeconds = 3600;
/** How often auth is asked for its authorities: a rotation waits until every instance knows the new one. */
const askEverySeconds = 6 * 3600;
/** How often a lasting failure is logged again. */
const sayAgainSeconds = 86_400;
/** A failure is urgent in the last third of the time between the renewal and the certificate's end: in the last five of thirty days. */
const urgentShare = 1 / 3;

/** Keeps this host in its cluster by renewing its certificate in time. Logs every failure and tries again; no failure ends this. */
export function startPresence(ports: PresencePorts): Presence {
  const kept: Kept = {
    state: { ...nothing },
    transport: undefined,
    asked: undefined,
    said: undefined,
    awaited: new AbortController(),
    cluster: undefined,
    looked: "not-yet",
  };
  return {
    state: () => kept.state,
    transport: () => kept.transport?.over,
    auth: () => kept.transport?.auth,
    cluster: () => kept.cluster,
    identity: () => kept.transport?.identity,
    look: () => {
      kept.asked = undefined;
      kept.awaited.abort();
    },
    ended: keepPresent(ports, kept),
  };
}

type Kept = {
  state: PresenceState;
  transport:
    | {
        readonly serial: string;
        readonly addresses: string;
        readonly auth: AuthPlace;
        readonly over: Transport;
        readonly identity: Identity;
      }
    | undefined;
  cluster: string | undefined;
  /** Whether an earlier look found that this host has not joined. */
  looked: "not-yet" | "before";
  /** Aborted to make presence look now. */
  awaited: AbortController;
  /** When auth was last asked for its authorities. */
  asked: UnixSeconds | undefined;
  /** The last logged failure. */
  said: { readonly code: string; readonly isUrgent: boolean; readonly at: number } | undefined;
};

const nothing: PresenceState = {
  instance: undefined,
  certificateUntil: undefined,
  generation: 0,
  failures: 0,
  lastFailure: undefined,
};

async function keepPresent(ports: PresencePorts, kept: Kept): Promise<void> {
  while (!ports.stopping.aborted) {
    const seconds = await look(ports, kept);
    if (ports.stopping.aborted) return;
    await ports.wait(seconds, AbortSignal.any([ports.stopping, kept.awaited.signal]));
    kept.awaited = new AbortController();
  }
}

/** Returns how many seconds to wait before the next look. */
async function look(ports: PresencePorts, kept: Kept): Promise<number> {
  let identity: Identity | undefined;
  try {
    identity = readIdentity(ports.place);
    if (identity === undefined) return leave(ports, kept);
    const isOther = identity.stored.instance !== kept.state.instance;
    if (isOther) begin(identity, ports, kept);
    note(kept, identity);
    transportFor(identity, ports, kept);
    if (isOther) ports.found?.("joined");
    const seconds = secondsUntilRenewal(identity.stored, identity.peer, ports.clock());
    const isDue = seconds <= 0 || (await trustsOthers(identity, ports, kept));
    return isDue ? await renew(identity, ports, kept) : Math.min(seconds, lookEverySeconds);
  } catch (thrown) {
    return failed(thrown, { identity, askedSeconds: undefined }, { ports, kept });
  }
}

/** Whether the cluster has authorities that this host does not know. A renewal fetches them. */
async function trustsOthers(identity: Identity, ports: PresencePorts, kept: Kept): Promise<boolean> {
  const { now } = ports.clock();
  // Asks once too often if the clock was set back, which does no harm.
  if (kept.asked !== undefined && now >= kept.asked && now - kept.asked < askEverySeconds) return false;
  kept.asked = now;
  try {
    const transport = transportFor(identity, ports, kept);
    const { caPins = [] } = await call(
      transport,
      { method: "ClusterService/GetStatus", request: {} },
      { stopping: ports.stopping },
    );
    const known = identity.trusted.map(({ pin }) => pin);
    return caPins.length !== known.length || known.some((pin) => !caPins.includes(pin));
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    // Logs this for debugging only, because the renewal reports why auth cannot be reached.
    ports.log("debug", "auth could not be asked for its certificate authorities", { why: thrown.message });
    return false;
  }
}

function leave({ log, place, found }: PresencePorts, kept: Kept): number {
  if (kept.looked === "not-yet" && kept.state.instance === undefined) found?.("not-joined");
  kept.looked = "before";
  if (kept.state.instance !== undefined)
    log("warning", `this host is no ${place.kind} of a cluster any more: its identity is gone`, {});
  kept.state = { ...nothing };
  kept.transport = undefined;
  kept.cluster = undefined;
  return lookEverySeconds;
}

function begin(identity: Identity, { log, place }: PresencePorts, kept: Kept): void {
  const { stored, peer } = identity;
  const { kind, cluster, instance } = stored;
  forgetUsedKeys(identity, place);
  log("info", `this host is a ${kind} of the cluster ${quote(cluster.name)}`, { instance, until: printInstant(peer.until) });
  kept.state = { ...nothing };
  kept.cluster = cluster.name;
  kept.said = undefined;
}

function note(kept: Kept, { stored, peer }: Identity): void {
  kept.state = {
    ...kept.state,
    instance: stored.instance,
    certificateUntil: peer.until,
    generation: stored.generation,
  };
}

async function renew(identity: Identity, ports: PresencePorts, kept: Kept): Promise<number> {
  const { place, about, clock, stopping, log, found } = ports;
  const { transport, askedSeconds } = noteRetryAfter(transportFor(identity, ports, kept));
  try {
    const renewed = await renewIdentity(identity, { place, about, transport, clock, stopping });
    if (renewed === "replaced") return 1;
    note(kept, renewed);
    transportFor(renewed, ports, kept);
    kept.state = { ...kept.state, failures: 0, lastFailure: undefined };
    log(kept.said === undefined ? "info" : "notice", `the certificate of this ${place.kind} was renewed`, {
      until: printInstant(renewed.peer.until),
      generation: renewed.stored.generation,
    });
    kept.said = undefined;
    found?.("renewed");
    return Math.min(lookEverySeconds, Math.max(1, secondsUntilRenewal(renewed.stored, renewed.peer, clock())));
  } catch (thrown) {
    return failed(thrown, { identity, askedSeconds: askedSeconds() }, { ports, kept });
  }
}

/** Each certificate gets its own transport and TLS sessions: a resumed session would show auth the certificate that it began with. */
function transportFor(identity: Identity, { ways, clock }: PresencePorts, kept: Kept): Transport {
  const { stored, peer, trusted } = identity;
  const addresses = stored.authServers.join();
  const before = kept.transport;
  if (before?.serial === peer.serial && before.addresses === addresses) return before.over;
  const auth = { cluster: stored.cluster.id, addresses: stored.authServers.map(addressOf) };
  const over = overMutualTls({
    addresses: auth.addresses,
    known: { kind: "joined", cluster: auth.cluster, authorities: trusted },
    shows: stored,
    ways,
    now: () => clock().now,
  });
  kept.transport = { serial: peer.serial, addresses, auth, over, identity };
  return over;
}

function addressOf(text: string): HostPort {
  const { host, port } = parseAddress(text) ?? {};
  if (host === undefined || port === undefined) throw new Error("an identity with an invalid address");
  return { host, port };
}

type Failing = { readonly identity: Identity | undefined; readonly askedSeconds: number | undefined };
type Within = { readonly ports: PresencePorts; readonly kept: Kept };

/** Faults that last until somebody acts. */
const forSomebody: readonly string[] = ["identity-refused", "identity-unreadable"];

function failed(thrown: unknown, { identity, askedSeconds }: Failing, { ports, kept }: Within): number {
  const { clock, random, stopping } = ports;
  if (stopping.aborted) return 0;
  const fault = tellFault(thrown, "svc");
  const { now } = clock();
  const failures = kept.state.failures + 1;
  kept.state = { ...kept.state, failures, lastFailure: { at: now, code: fault.code, message: fault.message } };
  const seconds =
    identity === undefined || forSomebody.includes(fault.code)
      ? lookEverySeconds
      : waitAfterFailure({ failures, askedSeconds, drawn: random() }, identity.stored);
  say(fault, { identity, seconds }, { ports, kept });
  return seconds;
}

type Saying = { readonly identity: Identity | undefined; readonly seconds: number };

function say(fault: ToldFault, { identity, seconds }: Saying, { ports: { place, log, clock }, kept }: Within): void {
  const { now, sinceBootSeconds } = clock();
  const isFinal = forSomebody.includes(fault.code);
  const isUrgent = isFinal || fault.code === "bug" || (identity !== undefined && isLate(identity, now));
  const { said } = kept;
  const isNews =
    said === undefined ||
    said.code !== fault.code ||
    said.isUrgent !== isUrgent ||
    (!isFinal && sinceBootSeconds - said.at >= sayAgainSeconds);
  if (isNews) kept.said = { code: fault.code, isUrgent, at: sinceBootSeconds };
  const what =
    identity === undefined ? "this host's identity cannot be used" : `the certificate of this ${place.kind} could not be renewed`;
  log(isNews ? (isUrgent ? "error" : "warning") : "debug", `${what}: ${fault.message}; ${fault.hint}`, {
    fault: fault.code,
    until: identity === undefined ? undefined : printInstant(identity.peer.until),
    again_in_seconds: seconds,
  });
}

function isLate({ peer, stored }: Identity, now: UnixSeconds): boolean {
  return peer.until - now < stored.renewAfterSeconds * urgentShare;
}
