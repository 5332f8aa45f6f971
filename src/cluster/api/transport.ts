/** One POST to auth, over any kind of connection. */
export type Posted = {
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The proof of a call that a proxy passes on. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

export type PostAnswer = {
  readonly status: number;
  readonly contentType: string;
  /** After how many seconds auth may be asked again, if the answer says so. */
  readonly retryAfter: string | undefined;
  /** The time of auth's clock. */
  readonly date: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
};

/** Carries a call to auth, over root's socket or by mutual TLS. Throws a fault if that fails. */
export type Transport = {
  readonly post: (posted: Posted) => Promise<PostAnswer>;
  /** The server's name, for a message. */
  readonly whom: string;
  /** Explains the connection's own errors. */
  readonly explain: (thrown: unknown) => Error;
};
