import { Fault } from "../fault/fault.ts";

/** What comes after the standard streams. */
const firstPassed = 3;

/**
 * The socket that the service manager holds for us, by its number; undefined where there is none. It stays open while we are
 * restarted: whoever connects meanwhile waits, and nobody is turned away.
 */
export function passedSocket(environment: Readonly<Record<string, string | undefined>>, processId: number): number | undefined {
  const count = Number(environment["LISTEN_FDS"] ?? "0");
  // Inherited from somebody whom they were passed to.
  if (environment["LISTEN_PID"] !== String(processId) || count === 0) return undefined;
  if (count === 1) return firstPassed;
  throw new Fault("settings-invalid", {
    message: `svc-proxy.socket has ${count} addresses, and svc-proxy serves on one`,
    hint: "leave one ListenStream= there: sudo systemctl edit svc-proxy.socket; a port alone is for IPv4 and IPv6",
  });
}
