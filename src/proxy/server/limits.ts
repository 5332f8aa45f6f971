/** The limits of one instance. Rate limits per address belong to the server in front of it. */
export type Limits = {
  readonly headerBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How often slow requests are looked for. */
  readonly lookEveryMs: number;
  /** Beyond this idle connections are closed, and if none is idle a request gets 503. */
  readonly connections: number;
  /** Beyond this a connection is closed unheard. */
  readonly mostConnections: number;
  /** Unparsed bytes of all connections together: beyond this the connections with the most are closed. */
  readonly unreadBytes: number;
  /** Between the first "not ready" and the last accepted connection, if a load balancer watches readiness. */
  readonly graceMs: number;
  readonly drainMs: number;
  /** The last part of the drain, in which kept connections may send one more request. Requests that come meanwhile get as much again. */
  readonly lastWordMs: number;
};

export const limits: Limits = {
  // An updater sends 200 bytes; a browser with a company's cookies a few thousand.
  headerBytes: 8 * 1024,
  headersMs: 10_000,
  requestMs: 15_000,
  // Reverse proxies keep an idle connection for a minute. Ours last longer, so that the proxies close first.
  keepAliveMs: 75_000,
  lookEveryMs: 2000,
  // Some 10 KiB each; half of that if a server in front speaks TLS.
  connections: 20_000,
  mostConnections: 22_000,
  // A client that waits for its answers leaves nothing unread here; another client leaves some 100 KiB.
  unreadBytes: 32 * 1024 * 1024,
  // Enough for a load balancer that asks every two seconds and believes the third "no", as most do by default.
  graceMs: 8000,
  // Together with graceMs, the drain is shorter than systemd's 90 seconds. Answers take milliseconds.
  drainMs: 10_000,
  // A reverse proxy under load asks within milliseconds; this covers any distance.
  lastWordMs: 1000,
};
