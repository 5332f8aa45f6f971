import { Fault } from "../../rules/fault/fault.ts";

/** What comes after the standard streams. */
const firstPassed = 3;

export type PassedBySystemd = { readonly environment: Readonly<Record<string, string | undefined>>; readonly processId: number };

/** The unit that holds it, and what to do where that has more than one. */
export type MissingSocket = { readonly socket: string; readonly hint: string };

/**
 * The socket that the service manager holds for us, by its number; undefined where there is none. It stays open while we are
 * restarted: whoever connects meanwhile waits, and nobody is turned away.
 */
export function passedSocket({ environment, processId }: PassedBySystemd, { socket, hint }: MissingSocket): number | undefined {
  const count = Number(environment["LISTEN_FDS"] ?? "0");
  // Inherited from somebody whom they were passed to.
  if (environment["LISTEN_PID"] !== String(processId) || count === 0) return undefined;
  if (count === 1) return firstPassed;
  throw new Fault("settings-invalid", { message: `${socket} has ${count} addresses, and one is served`, hint });
}
