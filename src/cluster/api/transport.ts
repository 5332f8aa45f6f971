/** One POST, as a connection of whatever kind carries it to auth. */
export type Posted = {
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** What proves a call that is handed on. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

export type PostAnswer = {
  readonly status: number;
  readonly contentType: string;
  /** In seconds, where auth says when to ask again. */
  readonly retryAfter: string | undefined;
  /** By auth's clock. */
  readonly date: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
};

/** Carries a call to auth: over root's socket, or by mutual TLS. What keeps it from there it throws as a fault. */
export type Transport = {
  readonly post: (posted: Posted) => Promise<PostAnswer>;
  /** Who is asked, for a message. */
  readonly whom: string;
  /** What the connection's own errors mean. */
  readonly explain: (thrown: unknown) => Error;
};
