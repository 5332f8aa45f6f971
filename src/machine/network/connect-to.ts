import { connect, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net";
import { addressAttemptMs } from "./hop.ts";

type Connecting = Pick<TcpNetConnectOpts, "host" | "port" | "signal"> & { readonly lookup?: LookupFunction | undefined };

/** Opens a TCP connection. Its signal also ends it later. */
export function connectTo({ lookup, ...options }: Connecting): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      noDelay: true,
      autoSelectFamilyAttemptTimeout: addressAttemptMs,
      ...(lookup === undefined ? {} : { lookup }),
      ...options,
    });
    // Stays until the new owner of the connection adds its own listener.
    socket.on("error", reject);
    socket.once("connect", () => resolve(socket));
  });
}
