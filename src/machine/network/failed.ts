import type { SeenOnWay } from "./hop.ts";

export function closedSilently(): Error {
  return Object.assign(new Error("the connection closed without an answer"), { code: "ECONNRESET" });
}

/** A deadline has passed. */
export class Late extends Error {
  /** What was known at that time. More may become known before it is reported. */
  readonly seen: SeenOnWay;
  readonly afterMs: number;

  constructor(seen: SeenOnWay, afterMs: number) {
    super();
    this.seen = { ...seen };
    this.afterMs = afterMs;
  }
}

export type ProxyAnswer = { readonly status: number | undefined; readonly reason: string };

/** The proxy answered CONNECT with another status than 200. */
export class TunnelRefused extends Error {
  readonly answer: ProxyAnswer;

  constructor(answer: ProxyAnswer) {
    super();
    this.answer = answer;
  }
}
