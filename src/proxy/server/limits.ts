/** What one instance bears. Rate limits per address are the business of whatever stands before it. */
export type Limits = {
  readonly headerBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How often slow requests are looked for. */
  readonly lookEveryMs: number;
  /** Beyond this idle connections make room, and where none is idle a request is answered with 503. */
  readonly connections: number;
  /** Beyond this a connection is closed unheard. */
  readonly mostConnections: number;
  /** Received on all connections together, and not looked at: beyond this those with the most of it are closed. */
  readonly unreadBytes: number;
  /** Between the first word that it leaves and the last connection that it accepts, where somebody listens for that word. */
  readonly graceMs: number;
  readonly drainMs: number;
  /** Of that, for whoever keeps a connection to ask once more, and again for those that come while others are finished. */
  readonly lastWordMs: number;
};

export const limits: Limits = {
  // An updater sends 200 bytes; a browser with a company's cookies a few thousand.
  headerBytes: 8 * 1024,
  headersMs: 10_000,
  requestMs: 15_000,
  // Longer than the minute that reverse proxies keep an idle connection: the one that closes first must not be us.
  keepAliveMs: 75_000,
  lookEveryMs: 2000,
  // Some 10 KiB each, half of that where TLS is spoken by something else.
  connections: 20_000,
  mostConnections: 22_000,
  // Whoever waits for answers has nothing here; one who does not has some 100 KiB.
  unreadBytes: 32 * 1024 * 1024,
  // A load balancer that looks every two seconds and believes the third no, as most do unless told otherwise.
  graceMs: 8000,
  // With that shorter than systemd's 90 seconds; what is asked is answered in milliseconds.
  drainMs: 10_000,
  // A reverse proxy under load asks within milliseconds; longer than any distance.
  lastWordMs: 1000,
};
