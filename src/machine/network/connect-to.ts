import { connect, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net";
import { addressAttemptMs } from "./hop.ts";

type Connecting = Pick<TcpNetConnectOpts, "host" | "port" | "signal"> & { readonly lookup?: LookupFunction | undefined };

/** A TCP connection. Its signal ends it later too. */
export function connectTo({ lookup, ...options }: Connecting): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      noDelay: true,
      autoSelectFamilyAttemptTimeout: addressAttemptMs,
      ...(lookup === undefined ? {} : { lookup }),
      ...options,
    });
    // Stays: what takes the connection over has a listener of its own, but not yet.
    socket.on("error", reject);
    socket.once("connect", () => resolve(socket));
  });
}
