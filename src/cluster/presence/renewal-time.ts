import type { ClockReading } from "../../rules/decide/clock-verdict.ts";
import type { Peer } from "../identity/peer.ts";
import type { StoredIdentity } from "./identity.ts";

type Stored = Pick<StoredIdentity, "received" | "renewAfterSeconds">;

/** The random part of the time until a renewal, so that a fleet that joined in one hour does not renew in one. */
const spread = 0.2;

/**
 * Counts the seconds that auth named. This host's clock may have jumped since, so within one boot the steady clock counts. If the wall clock went
 * back over a boot, nobody knows how long ago that was, and an early renewal does no harm.
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

/** Draws a number from 0 to below 1, the same at each start, from the serial that auth drew. */
function drawnFrom(serial: string): number {
  return Number.parseInt(serial.slice(-8), 16) / 2 ** 32;
}

const firstWaitSeconds = 60;
const longestWaitSeconds = 3600;
/** A server that asks for a longer wait is faulty. */
const longestAskedSeconds = 6 * 3600;

type Failed = {
  /** The failures in a row, this one included. */
  readonly failures: number;
  readonly askedSeconds: number | undefined;
  /** A number from 0 to below 1. */
  readonly drawn: number;
};

/** Waits longer each time, with a random part, so that hosts that failed together do not return together. Never sooner than auth asked. */
export function waitAfterFailure(
  { failures, askedSeconds = 0, drawn }: Failed,
  { renewAfterSeconds }: Pick<Stored, "renewAfterSeconds">,
): number {
  const longest = Math.min(longestWaitSeconds, renewAfterSeconds / 10);
  const own = Math.min(longest, firstWaitSeconds * 2 ** Math.min(failures - 1, 10)) * (1 - drawn / 2);
  return Math.max(1, Math.ceil(Math.min(askedSeconds, longestAskedSeconds) + own));
}
