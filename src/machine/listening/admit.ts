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
  /** Looks at a connection before its handshake, and asks for that where it is ours. */
  readonly look?: (connection: Connection, handshake: () => void) => void;
};

/** Whoever connects is counted, and makes room for itself at the limit. */
export function admit(server: Server, { connections, begin }: Pick<Admission, "connections" | "begin">): void {
  server.on("connection", (socket: Socket) => begin(connections.accept(socket)));
}

/** The same, behind handshakes that have turns of their own. */
export function admitSecurely(server: SecureServer, { connections, spare, begin, look = atOnce }: Admission): void {
  const handshakes = new Handshakes(spare);
  // Node would begin at once, and do all that wait in the order in which they came.
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const connection = connections.accept(socket);
    look(connection, () => {
      handshakes.add(connection, () => {
        for (const listener of listeners) listener.call(server, socket);
      });
    });
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    const connection = connections.secured(socket);
    if (connection === undefined) socket.destroy();
    else begin(connection);
  });
}

function atOnce(_connection: Connection, handshake: () => void): void {
  handshake();
}
