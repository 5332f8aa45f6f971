/** Enough: a role with 64 rules has some kilobytes, and a host's report some hundred bytes. */
export const mostMessageBytes: number = 1024 * 1024;
/** Enough for a token, a certificate request or a report. */
export const mostStrangerBytes: number = 64 * 1024;
/** The longest a call may take. A backup may take longer: its client sets no deadline. */
export const mostTimeoutMs = 600_000;
/** Each join makes a signature and writes to the disk. More at once would finish no sooner, and delay reports. */
export const mostJoinsAtOnce = 32;
/** The pause between two certificates of an instance: one that renews in a loop would fill the audit. */
export const mostPauseSeconds = 10;
/** Some 300 bytes each. Beyond this number the oldest are deleted, whatever their age. */
export const mostAuditRows = 1_000_000;

/** The limits of auth's port. Tests set lower ones. */
export type AuthLimits = {
  readonly headerBytes: number;
  /** The time for the handshake, and then for the headers of each request. */
  readonly headersMs: number;
  /** From the end of the headers to the end of the body. */
  readonly bodyMs: number;
  /** Closes a connection after this time without traffic. */
  readonly idleMs: number;
  /** Ends an answer after this time in which the client read nothing. */
  readonly unreadMs: number;
  /** How often Node looks for slow requests. */
  readonly lookForSlowMs: number;
  /** Beyond this, idle connections are closed for new ones. */
  readonly connections: number;
  /** Beyond this, a new connection is closed at once. */
  readonly mostConnections: number;
  /** The most calls under way on one connection: streams of HTTP/2, pipelined requests of HTTP/1.1. */
  readonly callsOfOneConnection: number;
  /** The most calls under way with one certificate, or without certificates from one address, which may be a whole site. */
  readonly callsOfOneAddress: number;
  readonly calls: number;
  /** The time for the calls under way when auth stops. */
  readonly drainMs: number;
  /** The part of drainMs in which clients that have just connected may send their call. */
  readonly lastWordMs: number;
  /** How often auth looks at ticket keys, authorities and its own certificate. */
  readonly lookMs: number;
  /** How often auth moves rollouts forward. */
  readonly rolloutMs: number;
};

export const authLimits: AuthLimits = {
  // A call has some 300 bytes; no reverse proxy adds more.
  headerBytes: 8 * 1024,
  headersMs: 10_000,
  // Enough for a megabyte over a slow line.
  bodyMs: 15_000,
  idleMs: 75_000,
  unreadMs: 30_000,
  lookForSlowMs: 2000,
  // Enough for a whole fleet that comes back after a power cut; hosts keep no connection open.
  connections: 10_000,
  mostConnections: 11_000,
  callsOfOneConnection: 32,
  callsOfOneAddress: 256,
  // Each call holds at most 64 KiB until its caller is known.
  calls: 1024,
  drainMs: 10_000,
  lastWordMs: 1000,
  lookMs: 60_000,
  rolloutMs: 5000,
};
