/** A role of 64 rules has some kilobytes; what a host reports has a few hundred. */
export const mostMessageBytes: number = 1024 * 1024;
/** Of what everybody may send, and every instance: a token and a certificate request. */
export const mostStrangerBytes: number = 64 * 1024;
/** Nothing that auth is asked takes longer, but for a backup, which says nothing of a deadline. */
export const mostTimeoutMs = 600_000;
/** Each of them makes a signature and writes to the disk: more at once are done no sooner, and hold up reports. */
export const mostJoinsAtOnce = 32;
/** Between two certificates of an instance. One that renews in a loop would fill the audit. */
export const mostPauseSeconds = 10;
/** Of the audit: some 300 bytes each. Beyond that the oldest go, whatever their age. */
export const mostAuditRows = 1_000_000;

/** What one auth service bears on its port. Smaller ones are for tests. */
export type AuthLimits = {
  readonly headerBytes: number;
  /** For the handshake, and then for the headers of each request. */
  readonly headersMs: number;
  /** From the end of the headers to the end of the body. Whoever takes longer takes a place from others. */
  readonly bodyMs: number;
  /** Nothing moves on a connection for so long. */
  readonly idleMs: number;
  /** Whoever reads nothing of an answer for so long is sent nothing more. */
  readonly unreadMs: number;
  /** How often slow requests are looked for. */
  readonly lookForSlowMs: number;
  /** Beyond this idle connections make room. */
  readonly connections: number;
  /** Beyond this a connection is closed unheard. */
  readonly mostConnections: number;
  /** Under way at once on one connection: over HTTP/2 in streams, over HTTP/1.1 by asking before the answer. */
  readonly callsOfOneConnection: number;
  /** And of one certificate, or of all who come from one address and have shown none: one client, or a whole site. */
  readonly callsOfOneAddress: number;
  readonly calls: number;
  /** When it stops: for what is under way. */
  readonly drainMs: number;
  /** Of that, for whoever has just connected to say what is wanted. */
  readonly lastWordMs: number;
  /** How often ticket keys, authorities and the own certificate are looked at. */
  readonly lookMs: number;
};

export const authLimits: AuthLimits = {
  // A call has some 300 bytes of them, and reverse proxies have no part in it.
  headerBytes: 8 * 1024,
  headersMs: 10_000,
  // A megabyte over the slowest line.
  bodyMs: 15_000,
  idleMs: 75_000,
  unreadMs: 30_000,
  lookForSlowMs: 2000,
  // A host that reports keeps none: so many are a fleet that comes back after a power cut.
  connections: 10_000,
  mostConnections: 11_000,
  callsOfOneConnection: 32,
  callsOfOneAddress: 256,
  // Each holds 64 KiB at most until it is known who asks.
  calls: 1024,
  drainMs: 10_000,
  lastWordMs: 1000,
  lookMs: 60_000,
};
