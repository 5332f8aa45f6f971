import { Fault } from "../../rules/fault/fault.ts";

/** The first descriptor after the standard streams. */
const firstPassed = 3;

export type PassedBySystemd = { readonly environment: Readonly<Record<string, string | undefined>>; readonly processId: number };

/** The unit that holds the socket, and the hint if it has several. */
export type MissingSocket = { readonly socket: string; readonly hint: string };

/**
 * The number of the socket that systemd keeps for us; undefined without one. The socket stays open while we restart, so clients wait and are not
 * turned away.
 */
export function passedSocket({ environment, processId }: PassedBySystemd, { socket, hint }: MissingSocket): number | undefined {
  const count = Number(environment["LISTEN_FDS"] ?? "0");
  // Inherited from a process that the sockets were passed to.
  if (environment["LISTEN_PID"] !== String(processId) || count === 0) return undefined;
  if (count === 1) return firstPassed;
  throw new Fault("settings-invalid", { message: `${socket} has ${count} addresses, and one is served`, hint });
}
