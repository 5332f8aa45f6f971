import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import type { Peer } from "../identity/peer.ts";
import type { StoredIdentity } from "./identity.ts";

type Stored = Pick<StoredIdentity, "received" | "renewAfterSeconds">;

/** The random part of the time until a renewal, so that hosts that joined in the same hour do not all renew in the same hour. */
const spread = 0.2;

/**
 * Counts from auth's answer: by the steady clock until the next boot, because the wall clock may jump, and by the wall clock after it. If the wall
 * clock went back during a boot, nobody knows the time that has passed, but an early renewal does no harm.
 */
export function secondsUntilRenewal(
  { received, renewAfterSeconds }: Stored,
  { serial }: Pick<Peer, "serial">,
  clock: ClockReading,
): number {
  const dueAfter = Math.floor(renewAfterSeconds * (1 + spread * drawnFrom(serial)));
  const passed = clock.bootId === received.bootId ? clock.sinceBootSeconds - received.sinceBootSeconds : clock.now - received.now;
  return passed < 0 ? 0 : Math.max(0, Math.ceil(dueAfter - passed));
}

/** Makes a number from 0 to below 1 from the certificate's random serial number, so that it is the same at each start. */
function drawnFrom(serial: string): number {
  return Number.parseInt(serial.slice(-8), 16) / 2 ** 32;
}

const firstWaitSeconds = 60;
const longestWaitSeconds = 3600;
/** Ignores longer waits, which only a faulty server asks for. */
const longestAskedSeconds = 6 * 3600;

type Failed = {
  /** The number of failures in a row, including this one. */
  readonly failures: number;
  readonly askedSeconds: number | undefined;
  /** A number from 0 to below 1. */
  readonly drawn: number;
};

/**
 * How long to wait after failures: longer each time, with a random part, so that hosts that failed together do not return together. Never less than
 * auth asked.
 */
export function waitAfterFailure(
  { failures, askedSeconds = 0, drawn }: Failed,
  { renewAfterSeconds }: Pick<Stored, "renewAfterSeconds">,
): number {
  const longest = Math.min(longestWaitSeconds, renewAfterSeconds / 10);
  const own = Math.min(longest, firstWaitSeconds * 2 ** Math.min(failures - 1, 10)) * (1 - drawn / 2);
  return Math.max(1, Math.ceil(Math.min(askedSeconds, longestAskedSeconds) + own));
}
