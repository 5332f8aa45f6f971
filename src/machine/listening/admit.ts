import type { Server, Socket } from "node:net";
import type { Server as SecureServer, TLSSocket } from "node:tls";
import type { Connection, Connections } from "./connections.ts";
import { Handshakes } from "./handshakes.ts";
import type { SpareTime } from "./spare-time.ts";

export type Admission = {
  readonly connections: Connections;
  readonly spare: SpareTime;
  /** Called with each connection before anything is read of what is asked over it. */
  readonly begin: (connection: Connection) => void;
};

/** Whoever connects is counted, and makes room for itself at the limit. */
export function admit(server: Server, { connections, begin }: Pick<Admission, "connections" | "begin">): void {
  server.on("connection", (socket: Socket) => begin(connections.accept(socket)));
}

/** The same, behind handshakes that have turns of their own. */
export function admitSecurely(server: SecureServer, { connections, spare, begin }: Admission): void {
  const handshakes = new Handshakes(spare);
  // Node would begin at once, and do all that wait in the order in which they came.
  const atOnce = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    handshakes.add(connections.accept(socket), () => {
      for (const listener of atOnce) listener.call(server, socket);
    });
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    const connection = connections.secured(socket);
    if (connection === undefined) socket.destroy();
    else begin(connection);
  });
}
