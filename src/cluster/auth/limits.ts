/** A role of 64 rules has some kilobytes, a host's report some hundred bytes. */
export const mostMessageBytes: number = 1024 * 1024;
/** Strangers and instances send a token, a certificate request, a report. */
export const mostStrangerBytes: number = 64 * 1024;
/** No call takes longer but a backup, whose client sets no deadline. */
export const mostTimeoutMs = 600_000;
/** Each makes a signature and writes to the disk. More at once would not end sooner, and delay reports. */
export const mostJoinsAtOnce = 32;
/** Between two certificates of an instance: one that renews in a loop would fill the audit. */
export const mostPauseSeconds = 10;
/** Some 300 bytes each. The oldest beyond it are deleted, whatever their age. */
export const mostAuditRows = 1_000_000;

/** The limits of auth's port. Tests set smaller ones. */
export type AuthLimits = {
  readonly headerBytes: number;
  /** The time for the handshake, and then for the headers of each request. */
  readonly headersMs: number;
  /** From the end of the headers to the end of the body. */
  readonly bodyMs: number;
  /** Closes a connection on which nothing moved for so long. */
  readonly idleMs: number;
  /** Ends an answer of which the client read nothing for so long. */
  readonly unreadMs: number;
  /** How often Node looks for slow requests. */
  readonly lookForSlowMs: number;
  /** Beyond this, idle connections are closed for new ones. */
  readonly connections: number;
  /** Beyond this, a new connection is closed at once. */
  readonly mostConnections: number;
  /** Calls under way on one connection: streams of HTTP/2, pipelined requests of HTTP/1.1. */
  readonly callsOfOneConnection: number;
  /** Calls under way of one certificate, or of one address without certificates, which may be a whole site. */
  readonly callsOfOneAddress: number;
  readonly calls: number;
  /** The time for the calls under way when auth stops. */
  readonly drainMs: number;
  /** Part of drainMs: for clients that have just connected to send their call. */
  readonly lastWordMs: number;
  /** How often auth looks at ticket keys, authorities and its own certificate. */
  readonly lookMs: number;
  /** How often rollouts are moved on. */
  readonly rolloutMs: number;
};

export const authLimits: AuthLimits = {
  // A call has some 300 bytes; no reverse proxy adds more.
  headerBytes: 8 * 1024,
  headersMs: 10_000,
  // Enough for a megabyte over the slowest line.
  bodyMs: 15_000,
  idleMs: 75_000,
  unreadMs: 30_000,
  lookForSlowMs: 2000,
  // Hosts keep no connection open: so many come back at once after a power cut.
  connections: 10_000,
  mostConnections: 11_000,
  callsOfOneConnection: 32,
  callsOfOneAddress: 256,
  // Each holds at most 64 KiB until the caller is known.
  calls: 1024,
  drainMs: 10_000,
  lastWordMs: 1000,
  lookMs: 60_000,
  rolloutMs: 5000,
};
