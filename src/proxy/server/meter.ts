import type { Shed } from "../../machine/listening/connections.ts";

/** How often one kind of answer was given. */
export type Count = { readonly channel: string; readonly status: number; value: number };

/** What became of a connection that asked for auth. */
export type Passed = "passed" | "refused" | "unreachable";

/** In seconds. A prepared answer takes microseconds, and the first answer of an upstream seconds. */
export const latencyBuckets: readonly number[] = [0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10];

/** The server's counters. One lives as long as the process: a reload resets nothing. */
export class Meter {
  readonly latency: number[] = latencyBuckets.map(() => 0);
  latencySum = 0;
  latencyCount = 0;
  reloads = { done: 0, refused: 0 };
  readonly shed: Record<Shed, number> = { "most-connections": 0, "most-unread": 0 };
  readonly passes: Record<Passed, number> = { passed: 0, refused: 0, unreachable: 0 };
  readonly #relayed = new Map<number, number>();
  readonly #counts = new Map<string, Count>();

  /** Returns the same object for the same channel and status, so an answer can keep it. */
  count(channel: string, status: number): Count {
    const key = `${channel} ${status}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const count: Count = { channel, status, value: 0 };
    this.#counts.set(key, count);
    return count;
  }

  counts(): readonly Count[] {
    return [...this.#counts.values()];
  }

  /** A call passed on to auth or refused here; status 0 if the caller had gone. */
  relayed(status: number): void {
    this.#relayed.set(status, (this.#relayed.get(status) ?? 0) + 1);
  }

  relays(): readonly { readonly status: number; readonly value: number }[] {
    return [...this.#relayed].map(([status, value]) => ({ status, value }));
  }

  passed(outcome: Passed): void {
    this.passes[outcome] += 1;
  }

  observe(seconds: number): void {
    const bucket = latencyBuckets.findIndex((most) => seconds <= most);
    if (bucket >= 0) this.latency[bucket] = (this.latency[bucket] ?? 0) + 1;
    this.latencySum += seconds;
    this.latencyCount += 1;
  }
}
