/** The limits of one instance. Rate limits per address belong to the server in front of it. */
export type Limits = {
  readonly headerBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How often slow requests are looked for. */
  readonly lookEveryMs: number;
  /** With more connections the server closes idle ones, and answers 503 if no connection is idle. */
  readonly connections: number;
  /** With this many connections the server closes each new one at once. */
  readonly mostConnections: number;
  /** Unparsed bytes of all connections together. With more, the server closes the connections that have the most. */
  readonly unreadBytes: number;
  /** How long the server still accepts connections after its first "not ready", if a load balancer watches readiness. */
  readonly graceMs: number;
  readonly drainMs: number;
  /** How long kept connections may send one more request while the server drains, and how long the server then has to answer it. */
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
  // A connection needs about 10 KiB, or half of that if a server in front speaks TLS.
  connections: 20_000,
  mostConnections: 22_000,
  // A client that waits for its answers has no unread bytes here; another client has about 100 KiB.
  unreadBytes: 32 * 1024 * 1024,
  // Enough for a load balancer that asks every two seconds and acts on the third "not ready", as most do by default.
  graceMs: 8000,
  // Together with graceMs, the drain is shorter than systemd's 90 seconds. Answers take milliseconds.
  drainMs: 10_000,
  // Enough for any distance: a reverse proxy under load sends its next request within milliseconds.
  lastWordMs: 1000,
};
