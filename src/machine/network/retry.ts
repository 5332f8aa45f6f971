import { Fault, type AnyFaultCode } from "../../rules/fault/fault.ts";
import type { Response } from "./request.ts";

export type RetryPorts = {
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Ends early when the signal is raised. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait with the failure and the length of the wait. */
  readonly onRetry: (retry: Retry) => void;
};

export type Retry = { readonly tried: number; readonly waitMs: number; readonly why: string };

/** Enough for a server that fails every second request. More would be a storm from a whole fleet. */
export const mostTries = 3;

/** One second, then two, each shortened by up to a half so that hosts that failed together do not return together. */
const firstWaitMs = 1000;

const passing: readonly AnyFaultCode[] = ["channel-unreachable", "proxy-unreachable", "channel-failing"];

type Outcome =
  | { readonly kind: "response"; readonly response: Response }
  | { readonly kind: "fault"; readonly fault: Fault; readonly why: string };

/** Tries again, but only after connection faults, 429 and 5xx. If a wait would last beyond `untilMs`, the last outcome counts. */
export async function retrying(attempt: () => Promise<Response>, untilMs: number, ports: RetryPorts): Promise<Response> {
  for (let tried = 1; ; tried += 1) {
    const outcome = await outcomeOf(attempt);
    const waitMs = tried < mostTries && mayPass(outcome) ? waitAfter(outcome, tried, ports.random) : undefined;
    if (waitMs === undefined || ports.monotonicMs() + waitMs >= untilMs) return unwrap(outcome);
    ports.onRetry({ tried, waitMs, why: outcome.kind === "fault" ? outcome.why : `answer ${outcome.response.status}` });
    await ports.wait(waitMs, ports.signal);
    if (ports.signal?.aborted === true) return unwrap(outcome);
  }
}

async function outcomeOf(attempt: () => Promise<Response>): Promise<Outcome> {
  try {
    return { kind: "response", response: await attempt() };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: "fault", fault: error, why: error.message };
  }
}

function mayPass(outcome: Outcome): boolean {
  if (outcome.kind === "fault") return passing.includes(outcome.fault.code);
  return outcome.response.status === 429 || outcome.response.status >= 500;
}

function waitAfter(outcome: Outcome, tried: number, random: () => number): number {
  const own = firstWaitMs * 2 ** (tried - 1) * (1 - random() / 2);
  const asked = outcome.kind === "response" ? retryAfterMs(outcome.response) : undefined;
  // Adds our own wait to the server's: it tells all hosts the same, and they must not all come back at once.
  return Math.round(asked === undefined ? own : asked + own);
}

function unwrap(outcome: Outcome): Response {
  if (outcome.kind === "fault") throw outcome.fault;
  return outcome.response;
}

/** RFC 9110's date formats, without the obsolete asctime form, which names no zone. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT)$/;

/**
 * How long the server asks us to wait: seconds, or a date. A date counts from the server's own Date, because our clock may be years wrong. Ignores
 * anything else.
 */
export function retryAfterMs(answer: {
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}): number | undefined {
  const text = answer.retryAfter?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = instantOf(text);
  const from = instantOf(answer.date?.trim());
  return until === undefined || from === undefined ? undefined : Math.max(0, until - from);
}

function instantOf(text: string | undefined): number | undefined {
  if (text === undefined || !httpDate.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
