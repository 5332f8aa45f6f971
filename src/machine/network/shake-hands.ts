import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { closedSilently } from "./failed.ts";
import { checkIdentity } from "./identity.ts";
import type { Trust } from "./trust.ts";

/** Begins TLS on an open connection. The certificate must name this host, whatever forwards the connection. */
export function beginTls(socket: Socket, host: string, trust: Trust | undefined): TLSSocket {
  return connect({
    socket,
    ...trust?.connection,
    checkServerIdentity: (_name, certificate) => checkIdentity(host, certificate),
    ...(isIP(host) === 0 ? { servername: host } : {}),
  });
}

/** Waits for the end of a started handshake. Closes the connection if it fails. */
export function shakeHands(secured: TLSSocket, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise<TLSSocket>((resolve, reject) => {
    const stop = (): void => {
      secured.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    // Both listeners stay until the connection's new owner adds its own.
    secured.on("error", reject);
    secured.on("close", () => reject(closedSilently()));
    secured.once("secureConnect", () => {
      signal.removeEventListener("abort", stop);
      resolve(secured);
    });
  });
}
